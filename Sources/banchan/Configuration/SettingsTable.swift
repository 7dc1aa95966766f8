import Net
import Server

extension Setting {
  /// Every setting: its name, what it takes, its default, and what it is for. Flags, variables, keys of banchan.json,
  /// `--help` and `banchan config` all come from here; `ServePlan` reads the values.
  static let table: [Setting] = [
    Setting("host", .text("ADDRESS"), "127.0.0.1", "the address to listen on"),
    Setting("port", .number(0...65_535), "8080", "the port; 0 takes any free one"),
    Setting("data", .path("DIR"), "data", "the shop's data folder"),
    Setting("cache", .path("DIR"), "cache", "the picture cache, which may be deleted at any time"),
    Setting(
      "cache-size", .size(8 << 20...1 << 50), "4GiB", "what the cache may take of its disk, all its files included",
      isReloadable: true),
    Setting(
      "min-free", .size(0...1 << 50), .absent("a twentieth of the disk, 256MiB at most"),
      "what the cache leaves free on its disk", isReloadable: true),
    Setting(
      "seed", .path("DIR"), .derived("seed, here or installed") { Installation.seed },
      "what an empty data folder is filled from, and the demo's pictures"),
    Setting(
      "public", .pathOrOff("DIR"), .absent("Public, installed, here or beside the program"),
      "the pages; off serves none"),
    Setting("public-url", .text("URL"), .absent("those of each request"), "scheme and host of the URLs in answers"),
    Setting(
      "origin-base", .text("URL"), .absent("a demo origin on the seed"), "where relative picture paths are fetched"),
    Setting(
      "origin-allow", .texts("ORIGIN"), .absent("none"), "SCHEME://HOST[:PORT] that may stand at an inner address"),
    Setting(
      "dev", .toggle, .off, "for building a front end: follows the seed folder, and answers go wrong where asked to"),
    Setting(
      "fault", .texts("PATH FAULTS"), .absent("none"),
      "with --dev, what goes wrong below a path, such as '/api/v1 latency=300ms status=503 rate=0.2'"),
    Setting("warm", .word(["on", "off"]), "on", "fetches all pictures before anybody asks for them"),
    Setting("offline", .toggle, .off, "contacts no origin; what is stored is served, whatever its age"),
    Setting(
      "surface", .texts("NAME=PREFIX"), .absent("all, at their own places"),
      "moves a compatible surface; NAME=off removes it"),
    Setting(
      "mount", .texts("PREFIX=URL"), .absent("none"), "serves the pictures of an origin's folder under a path, cached"),
    Setting(
      "trusted-proxy", .texts("ADDRESS[/N]"), .absent("none"), "a proxy whose Forwarded and X-Forwarded-* fields count"),
    Setting("cors-origin", .texts("ORIGIN"), .absent("none"), "an origin that may send credentials"),
    Setting(
      "threads", .number(1...256),
      .derived("one per core that the machine or its cgroup allows") { String(Machine.usableCores) }, "event loops"),
    Setting(
      "ops-port", .number(0...65_535), .absent("none"),
      "the port for operators: /metrics, /livez, /readyz; 0 takes any free one"),
    Setting("ops-host", .text("ADDRESS"), "127.0.0.1", "the address for operators; who reaches it sees everything"),
    Setting(
      "log", .word(LogFormat.allCases.map(\.rawValue)), "text", "a line per request on standard error",
      isReloadable: true),
    Setting(
      "log-level", .word(LogLevel.allCases.map(\.rawValue)), "info",
      "what matters less has no line: probes are debug, requests info, those that failed error", isReloadable: true),
    Setting(
      "log-addresses", .word(LoggedAddresses.allCases.map(\.rawValue)), "full",
      "what of clients' addresses is logged; short is their network", isReloadable: true),
    Setting(
      "grace", .duration(0...3_600_000), "10s", "for what is under way when the server is stopped",
      isReloadable: true),
    Setting("tls-port", .number(0...65_535), "8443", "the port for HTTPS; 0 takes any free one"),
    Setting(
      "tls-cert", .paths("FILE"), .absent("none"), "a certificate chain (PEM), one per name; the first is default"),
    Setting("tls-key", .paths("FILE"), .absent("none"), "the key of each --tls-cert, in the same order"),
    Setting("tls-self-signed", .toggle, .off, "HTTPS with a certificate for this machine, made in the data folder"),
    Setting("tls-redirect", .toggle, .off, "sends plain requests to HTTPS, but for health"),
    Setting(
      "hsts", .duration(0...2_147_483_647_000), .absent("not told"), "tells browsers to use HTTPS only for so long"),
  ]
}
