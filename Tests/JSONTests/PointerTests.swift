import JSON
import Testing

@Suite("JSON pointers")
struct PointerTests {
  // The document and pointers of RFC 6901, section 5.
  static let document = #"{"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\j":5,"k\"l":6," ":7,"m~n":8}"#

  @Test(
    "The examples of RFC 6901 are found",
    arguments: [
      ("/foo/0", .string("bar")), ("/", .integer(0)), ("/a~1b", .integer(1)), ("/c%d", .integer(2)),
      ("/e^f", .integer(3)),
      ("/g|h", .integer(4)), ("/i\\j", .integer(5)), ("/k\"l", .integer(6)), ("/ ", .integer(7)),
      ("/m~0n", .integer(8)),
    ] as [(String, JSONValue)])
  func finds(text: String, value: JSONValue) throws {
    let pointer = try #require(JSONPointer(text))
    #expect(try JSONValue(parsing: Array(Self.document.utf8))[pointer: pointer] == value)
    #expect(pointer.description == text)
  }

  @Test("What points nowhere finds nothing", arguments: ["/foo/2", "/foo/00", "/foo/-", "/foo/+0", "/bar", "/foo/0/x"])
  func findsNothing(text: String) throws {
    let pointer = try #require(JSONPointer(text))
    #expect(try JSONValue(parsing: Array(Self.document.utf8))[pointer: pointer] == nil)
  }

  @Test("What is no pointer is refused", arguments: ["foo", "/a~", "/a~2", "~1"])
  func refuses(text: String) {
    #expect(JSONPointer(text) == nil)
  }
}
