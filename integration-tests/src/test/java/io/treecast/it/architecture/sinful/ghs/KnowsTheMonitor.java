package io.treecast.it.architecture.sinful.ghs;

import io.treecast.it.architecture.sinful.monitor.Blameless;

/** Layers: depends on a forbidden layer; packages: closes a cycle. */
record KnowsTheMonitor(Blameless blameless) {}
