@testable import Client
import Glibc
import HTTP
import Net

@testable import Images

/// A caching reverse proxy for everything, of the product's parts, to be looked at by http-tests/cache-tests
/// (Tests/CacheTests/README.md). No part of the product: a shop's server takes pictures only, and forwards no field of any client.
///
///     cache-proxy ORIGIN FOLDER
@main
enum CacheProxy {
  nonisolated static func main() async {
    let arguments = CommandLine.arguments
    guard arguments.count == 3, let url = try? OriginURL(Array(arguments[1].utf8)) else {
      print("usage: cache-proxy ORIGIN FOLDER")
      exit(2)
    }
    do {
      let loop = try EventLoop(name: "proxy")
      let sockets = try ListeningSocket.listen(on: SocketAddress(IPAddress(v4: 127, 0, 0, 1), port: 0), count: 1)
      let cache = SharedCache(
        origin: try OriginSide(url, on: loop), shelf: try AnswerShelf(folder: arguments[2]), loop: loop)
      loop.start()
      print("listening on http://\(sockets[0].address)/")
      fflush(nil)
      await Task.detached(executorPreference: loop) { await accept(sockets[0], cache, on: loop) }.value
    } catch {
      print("cache-proxy: \(error)")
      exit(1)
    }
  }

  private static func accept(_ socket: ListeningSocket, _ cache: SharedCache, on loop: EventLoop) async {
    do {
      try socket.attach(to: loop)
      while true {
        try await socket.acceptable()
        while let stream = try socket.tryAccept() {
          Task(executorPreference: loop) { await ClientSide(stream, cache).serve() }
        }
      }
    } catch {
      print("cache-proxy: \(error)")
      exit(1)
    }
  }
}
