extension CompatibleSurface {
  /// The surface of 2018: bare lists. Its lists also stand at the root as files, where the oldest clients look for them.
  static let woowa2018 = CompatibleSurface(
    name: "woowa2018",
    defaultMount: "/woowa",
    envelope: .bare,
    item: [
      Field("detail_hash", .id),
      Field("image", .picture(.thumb)),
      Field("alt", .alt),
      Field("delivery_type", .deliveryTypes),
      Field("title", .title),
      Field("description", .description),
      Field("n_price", .listPrice(.number)),
      Field("s_price", .price(.tag)),
      Field(
        "badge",
        .badges(
          BadgeRule(
            words: [.launch: "론칭특가", .event: "이벤트특가", .best: "베스트"], soldOut: "품절",
            emptyListSections: ["soup", "side"], accompaniesListPrice: true))),
    ],
    detail: hashedDetail,
    paths: [
      Path("/best", .best), Path("/best/{category}", .collection), Path("/detail", .details),
      Path("/detail/{hash}", .detail), Path("/{section}", .items),
    ],
    rootPaths: ["main", "soup", "side"].map { Path("/jk/storeapp/\($0).json", .itemsOf($0)) },
    examples: ["/main", "/detail/HBDEF"],
    memoKey: MemoKey.item(ofSurface: 1))
}
