package io.treecast.it.architecture.sinful.ghs;

/** Known by {@code collectives}, as is allowed, and by {@code monitor}, as is not. */
public final class Spared {}
