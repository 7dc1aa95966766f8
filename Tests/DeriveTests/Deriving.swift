import DeriveWire
import Glibc
import OriginScripts

@testable import Derive

/// Derives with the budget of a worker.
let deriver = Deriver(budget: Budget(bytes: 256 << 20))

extension Deriver {
  func derive(
    _ bytes: [UInt8], _ targets: [DeriveTarget], wantsLook: Bool = false
  ) throws(DeriveRefusal) -> Result {
    // The closure of the standard library's function says only that it throws something.
    let result = bytes.withUnsafeBytes { bytes -> Swift.Result<Result, DeriveRefusal> in
      do throws(DeriveRefusal) {
        return .success(try derive(SourceBytes(bytes), targets: targets, wantsLook: wantsLook))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  /// Why a picture is refused; nil when it is not.
  func refusal(_ bytes: [UInt8], _ targets: [DeriveTarget] = [thumb]) -> DeriveRefusal? {
    do throws(DeriveRefusal) {
      _ = try derive(bytes, targets)
      return nil
    } catch {
      return error
    }
  }
}

/// A target; only a width of 0 is none.
func target(_ width: UInt16, _ format: DerivedFormat = .jpeg) -> DeriveTarget {
  guard let target = DeriveTarget(width: width, format: format) else { preconditionFailure("no width") }
  return target
}

let thumb = target(320)

/// A raster whose every pixel is what a function says: R G B A.
func raster(_ width: Int, _ height: Int, _ pixel: (_ x: Int, _ y: Int) -> (Int, Int, Int, Int)) -> Raster {
  var raster = Raster(width: width, height: height)
  for y in 0..<height {
    for x in 0..<width {
      let (red, green, blue, alpha) = pixel(x, y)
      let place = 4 * (y * width + x)
      raster.pixels.replaceSubrange(place..<(place + 4), with: [red, green, blue, alpha].map { UInt8(clamping: $0) })
    }
  }
  return raster
}

/// A picture with some life in it, as a file of a format.
func picture(_ format: DerivedFormat, _ width: Int = 400, _ height: Int = 300) throws -> [UInt8] {
  let life = raster(width, height) { x, y in (x * 255 / width, y * 255 / height, (x * y) % 256, 128 + x % 128) }
  return try format.codec.encode(life, hasAlpha: format != .jpeg)
}

/// The pixels of a picture, through our own decoder: for tests of what is not the decoder's doing.
func pixels(_ bytes: [UInt8]) throws -> Raster {
  try bytes.withUnsafeBytes { bytes in
    let source = SourceBytes(bytes)
    let codec = try codec(of: source)
    let head = try codec.head(of: source)
    var rows: [UInt8] = []
    _ = try codec.decode(source, head, denominator: 1, budget: deriver.budget) { rows += Array($0) }
    return Raster(width: head.width, height: head.height, pixels: rows)
  }
}

/// The bytes of a file.
func contents(of path: String) throws -> [UInt8] {
  guard let file = fopen(path, "r") else { throw ScriptFault(call: "fopen \(path)") }
  defer { fclose(file) }
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 65_536)
  while true {
    let count = fread(&buffer, 1, buffer.count, file)
    guard count > 0 else { return bytes }
    bytes += buffer[..<count]
  }
}
