package io.treecast.it.architecture.sinful.monitor;

import io.treecast.it.architecture.sinful.ghs.Spared;

/** Layers: depends on a forbidden layer; packages: closes a cycle. */
record KnowsGhs(Spared notAllowed) {}
