import JSON
import Testing

@Suite("Reading by rules")
struct ValidationTests {
  private func faults(in text: String, _ read: (JSONField) -> Void) throws -> [String] {
    let faults = JSONFaults()
    read(JSONField(document: try JSONValue(parsing: Array(text.utf8)), faults: faults))
    return faults.list.map(\.description)
  }

  @Test("Every fault is told at once, each with place, value and rule")
  func everyFault() throws {
    let text = #"{"colour":"red","name":7,"sizes":[1,"x",900,2.5,1e30],"flag":"yes","inner":[],"more":{"a/b":1}}"#
    let keys = ["name", "title", "sizes", "flag", "inner", "more"]
    let found = try faults(in: text) { field in
      let reader = field.object(keys: keys)
      _ = reader?.required("name")?.string()
      _ = reader?.required("title")?.string()
      _ = reader?.optional("alt")?.string()
      for size in reader?.required("sizes")?.elements(count: 1...4) ?? [] { _ = size.integer(in: 0...100) }
      _ = reader?.optional("flag")?.bool()
      _ = reader?.optional("inner")?.object(keys: [])
      _ = reader?.optional("more")?.object(keys: ["x"])
    }
    let known = keys.joined(separator: ", ")
    #expect(
      found == [
        #"/colour = "red": This key is not known here; the known ones are \#(known)."#,
        "/name = 7: This must be a string.",
        "/title: This key is missing.",
        "/sizes = [… 5 values]: There must be 1 to 4 entries.",
        #"/sizes/1 = "x": This must be an integer."#,
        "/sizes/2 = 900: This must be an integer from 0 to 100.",
        "/sizes/3 = 2.5: This must be an integer.",
        "/sizes/4 = 1e+30: This must be an integer from 0 to 100.",
        #"/flag = "yes": This must be true or false."#,
        "/inner = []: This must be an object.",
        "/more/a~1b = 1: This key is not known here; the known ones are x.",
      ])
  }

  @Test("Null is absent only where the reader says so")
  func nulls() throws {
    let found = try faults(in: #"{"a":null}"#) { field in
      let reader = field.object(keys: ["a"])
      #expect(reader?.nullable("a") == nil)
      _ = reader?.optional("a")?.string()
    }
    #expect(found == ["/a = null: This must be a string."])
  }

  @Test("A long value is cut, and control characters are shown escaped")
  func summaries() {
    #expect(JSONValue.string(String(repeating: "가", count: 70)).summary.count == 63)
    #expect(JSONValue.string("a" + String(repeating: "\u{301}", count: 70)).summary.unicodeScalars.count == 63)
    #expect(JSONValue.string("a\u{1B}[31m").summary == #""a\u001b[31m""#)
    #expect(JSONValue.object(["a": .null]).summary == "{… 1 keys}")
  }

  @Test("Faults past the limit are counted and not kept")
  func limit() {
    let faults = JSONFaults()
    for _ in 0..<JSONFaults.limit + 5 { faults.add(JSONFault(pointer: .root, value: nil, rule: .missingKey)) }
    #expect(faults.list.count == JSONFaults.limit)
    #expect(faults.total == JSONFaults.limit + 5)
  }
}
