extension CompatibleSurface {
  /// The API of the seed team of 2020: sections are categories, and keys are camelCase.
  static let team2020 = CompatibleSurface(
    name: "team2020",
    defaultMount: "",
    envelope: .bare,
    item: [
      Field("id", .id),
      Field("image", .picture(.thumb)),
      Field("alt", .alt),
      Field("deliveryTypes", .deliveryTypes),
      Field("title", .title),
      Field("description", .description),
      Field("originalPrice", .listPrice(.number)),
      Field("finalPrice", .price(.tag)),
      Field("badges", .badges(BadgeRule(words: [.launch: "론칭특가", .event: "이벤트특가"], accompaniesListPrice: false))),
    ],
    detail: [
      Field("id", .id),
      Field("topImage", .picture(.medium)),
      Field("alt", .alt),
      Field("thumbImages", .gallery(.medium)),
      Field("detailImages", .details(.large)),
      Field("deliveryInfo", .deliveryInfo),
      Field("deliveryFee", .deliveryFee),
      Field("title", .title),
      Field("description", .description),
      Field("point", .points),
      Field("originalPrice", .listPrice(.tag)),
      Field("finalPrice", .price(.tag)),
    ],
    paths: [
      Path("/categories", .categories),
      Path("/categories/{path}", .category),
      Path("/banchan/{id}", .detail),
    ],
    examples: ["/categories", "/banchan/HBDEF"],
    memoKey: MemoKey.item(ofSurface: 3))
}
