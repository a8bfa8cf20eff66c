package io.treecast.it.architecture.sinful.ghs;

/** Used by {@code collectives}, which is allowed, and by {@code monitor}, which is not. */
public final class Spared {}
