@main
struct Banchan {
  static func main() {}
}
