package io.treecast.it.architecture.sinful.oracle;

/** House: its package lacks the annotation. */
final class SaysNothingOfNull {}
