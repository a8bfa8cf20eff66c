package io.treecast.it.architecture.sinful.collectives;

import io.treecast.it.architecture.sinful.ghs.Spared;

/** Breaks no rule. */
record KnowsTheLayerBelow(Spared below) {}
