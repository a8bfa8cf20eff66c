package io.treecast.it.architecture.sinful.nowhere;

/** Layers: belongs to no layer. */
final class Stray {}
