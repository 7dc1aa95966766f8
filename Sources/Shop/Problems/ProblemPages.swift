import HTTP

/// A page per problem code, at the `type` of its answers.
enum ProblemPages {
  static let routes = [
    Route(.get, "/problems/{code}") { (request) throws(Problem) in
      guard let code = ProblemCode(rawValue: String(decoding: request.id, as: UTF8.self)) else {
        throw Problem(.notFound)
      }
      return page(code)
    }
  ]

  private static func page(_ code: ProblemCode) -> Response {
    let html = """
      <!doctype html>
      <html lang="ko">
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(code.title)</title>
      <h1><code>\(code.rawValue)</code></h1>
      <p>\(code.detail.korean)
      <p lang="en">\(code.title) (status \(code.status.code)). \(code.detail.english)
      </html>

      """
    var response = Response(.ok, body: .bytes(Array(html.utf8)))
    response.add(.contentType, "text/html; charset=utf-8")
    response.add(.cacheControl, "public, max-age=86400")
    response.add(.contentSecurityPolicy, "default-src 'none'")
    response.add(.xContentTypeOptions, "nosniff")
    response.isReusable = true
    return response
  }
}
