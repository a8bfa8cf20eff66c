package io.treecast.it.architecture.sinful.monitor;

import io.treecast.it.architecture.sinful.ghs.Spared;

/** Layers: knows one that it may not; packages: closes a circle. */
record KnowsGhs(Spared notAllowed) {}
