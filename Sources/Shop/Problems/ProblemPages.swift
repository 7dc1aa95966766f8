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
    // Its look comes from the pages in the public folder; without them it reads as well.
    let html = """
      <!doctype html>
      <html lang="ko">
      <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
        <meta name="color-scheme" content="light dark">
        <title>\(code.title) · Banchan</title>
        <link rel="icon" href="/icons/bowl.svg" type="image/svg+xml">
        <script src="/app/early.js"></script>
        <link rel="stylesheet" href="/app/base.css">
        <link rel="stylesheet" href="/docs/docs.css">
      </head>
      <body>
        <header class="top"><div class="top-row"><a class="brand" href="/docs" lang="en">Banchan API</a></div></header>
        <main id="content" class="problem">
          <p><code>\(code.status.code) \(code.rawValue)</code></p>
          <h1 lang="en">\(code.title)</h1>
          <section lang="ko">
            <p class="what">\(code.detail.korean)</p>
            <h2>어떻게 하나요</h2>
            <p>\(code.advice.korean)</p>
          </section>
          <section lang="en">
            <p class="what">\(code.detail.english)</p>
            <h2>What to do</h2>
            <p>\(code.advice.english)</p>
          </section>
          <p class="back"><a href="/docs#problems"><span lang="ko">모든 오류</span> · <span lang="en">All problems</span></a></p>
        </main>
      </body>
      </html>

      """
    var response = Response(.ok, body: .bytes(Array(html.utf8)))
    response.add(.contentType, "text/html; charset=utf-8")
    response.add(.cacheControl, "public, max-age=86400")
    response.add(.xContentTypeOptions, "nosniff")
    PagePolicy.add(to: &response)
    response.isReusable = true
    return response
  }
}
