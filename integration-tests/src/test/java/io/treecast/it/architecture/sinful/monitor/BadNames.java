package io.treecast.it.architecture.sinful.monitor;

/** House: the nested classes have names that fit anything. */
final class BadNames {
  private BadNames() {}

  static final class LinkUtil {}

  static final class LinkUtils {}

  static final class LinkImpl {}

  static final class LinkManager {}

  static final class LinkHelpers {}

  static final class LinkCommon {}

  static final class LinkMisc {}
}
