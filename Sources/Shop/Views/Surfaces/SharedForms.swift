// What several surfaces have in common.
extension CompatibleSurface {
  /// The detail of 2018, 2020 and 2022, always with all eight keys and never with a title: clients carry it over from the
  /// list.
  static let hashedDetail: [Field] = [
    Field("hash", .id),
    Field(
      "data",
      .object([
        Field("top_image", .picture(.medium)),
        Field("thumb_images", .gallery(.medium)),
        Field("product_description", .description),
        Field("point", .points),
        Field("delivery_info", .deliveryInfo),
        Field("delivery_fee", .deliveryFee),
        Field("prices", .prices),
        Field("detail_section", .details(.large)),
      ])),
  ]

  /// The paths of 2020 and 2022. A section that the shop adds is a list like the first three.
  static let sectionPaths: [Path] = [
    Path("/best", .best),
    Path("/best/{category}", .collection),
    Path("/detail", .details),
    Path("/detail/{hash}", .detail),
    Path("/{section}", .items),
    Path("/{section}/{hash}", .item),
  ]
}
