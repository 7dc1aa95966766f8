extension CompatibleSurface {
  /// The surface of 2020.
  static let baminchan2020 = CompatibleSurface(
    name: "baminchan2020",
    defaultMount: "/develop/baminchan",
    envelope: .statusCode,
    item: [
      Field("detail_hash", .id),
      Field("image", .picture(.thumb)),
      Field("alt", .alt),
      Field("delivery_type", .deliveryTypes),
      Field("title", .title),
      Field("description", .description),
      Field("n_price", .listPrice(.number)),
      Field("s_price", .price(.tag)),
      Field("badge", .badges(BadgeRule(words: [.launch: "론칭특가", .event: "이벤트특가"], accompaniesListPrice: true))),
    ],
    detail: hashedDetail,
    paths: sectionPaths,
    examples: ["/main", "/detail/HBDEF", "/best"],
    memoKey: MemoKey.item(ofSurface: 2))
}
