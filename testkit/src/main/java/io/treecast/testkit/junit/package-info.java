/**
 * Clusters for JUnit tests: a test runs once for each seed, with its own or random faults. A
 * failure is reported with the smallest scenario that reproduces it and the command that repeats
 * it.
 */
@NullMarked
package io.treecast.testkit.junit;

import org.jspecify.annotations.NullMarked;
