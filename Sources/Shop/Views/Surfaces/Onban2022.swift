extension CompatibleSurface {
  /// The surface of 2022.
  static let onban2022 = CompatibleSurface(
    name: "onban2022",
    defaultMount: "/onban",
    envelope: .statusCode,
    item: [
      Field("detail_hash", .id),
      Field("image", .picture(.thumb)),
      Field("alt", .alt),
      Field("delivery_type", .deliveryTypes),
      Field("title", .title),
      Field("description", .description),
      Field("n_price", .listPrice(.tag)),
      Field("s_price", .price(.tag)),
      Field(
        "badge",
        .badges(
          BadgeRule(
            words: [.launch: "런칭특가", .event: "이벤트특가", .main: "메인특가"], accompaniesListPrice: true))),
    ],
    detail: hashedDetail,
    paths: sectionPaths,
    examples: ["/main", "/detail/HBDEF", "/best"],
    memoKey: MemoKey.item(ofSurface: 0))
}
