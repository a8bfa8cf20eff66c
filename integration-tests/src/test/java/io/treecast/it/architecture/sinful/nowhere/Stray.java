package io.treecast.it.architecture.sinful.nowhere;

/** Layers: belongs to none. */
final class Stray {}
