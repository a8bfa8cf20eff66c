package io.treecast.it.architecture.sinful.client;

import picocli.CommandLine;

/** Layers: uses a library that is not listed. */
record KnowsPicocli(CommandLine command) {}
