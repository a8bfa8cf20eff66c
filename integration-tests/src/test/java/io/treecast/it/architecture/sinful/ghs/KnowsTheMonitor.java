package io.treecast.it.architecture.sinful.ghs;

import io.treecast.it.architecture.sinful.monitor.Blameless;

/** Layers: knows one that it may not; packages: closes a circle. */
record KnowsTheMonitor(Blameless blameless) {}
