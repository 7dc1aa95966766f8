import JSON
import Testing

@Suite("Writing JSON")
struct WriterTests {
  private func text(_ style: JSONWriter.Style, _ write: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter(style)
    write(&writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  private func sample(_ json: inout JSONWriter) {
    json.object { json in
      json.key("id")
      json.write("HBDEF")
      json.key("price")
      json.write(12_640)
      json.key("tags")
      json.array { json in
        json.write(true)
        json.write(false)
        json.writeNull()
        json.write(0.5)
        json.write(Double.nan)
        json.array { _ in }
        json.object { _ in }
      }
      json.key(escaping: "a\"b")
      json.object { json in
        json.key("x")
        json.write(Int64.min)
      }
      json.key("url")
      json.writePlain { $0.append(contentsOf: "http://shop/a".utf8) }
      json.key("old")
      json.writeRendered { $0.append(contentsOf: "[1,2]".utf8) }
    }
  }

  @Test("Compact text has no white space, and keys stand in the order given")
  func compact() {
    #expect(
      text(.compact, sample)
        == #"{"id":"HBDEF","price":12640,"tags":[true,false,null,0.5,null,[],{}],"a\"b":{"x":-9223372036854775808},"#
        + #""url":"http://shop/a","old":[1,2]}"#)
  }

  @Test("Pretty text is laid out as Python does it")
  func pretty() {
    #expect(
      text(.pretty) { json in
        sample(&json)
        json.finishFile()
      } == """
        {
          "id": "HBDEF",
          "price": 12640,
          "tags": [
            true,
            false,
            null,
            0.5,
            null,
            [],
            {}
          ],
          "a\\"b": {
            "x": -9223372036854775808
          },
          "url": "http://shop/a",
          "old": [1,2]
        }

        """)
  }

  @Test(
    "Strings are escaped no more than they must be",
    arguments: [
      ("", #""""#), ("김치 / 🍲 \u{2028}\u{7F}", "\"김치 / 🍲 \u{2028}\u{7F}\""), ("a\"b\\c", #""a\"b\\c""#),
      ("\u{8}\t\n\u{C}\r", #""\b\t\n\f\r""#), ("\0\u{1F}", #""\u0000\u001f""#), ("\r\n", #""\r\n""#),
    ])
  func escapes(string: String, json: String) throws {
    #expect(text(.compact) { $0.write(string) } == json)
    #expect(try JSONValue(parsing: Array(json.utf8)) == .string(string))
  }
}
