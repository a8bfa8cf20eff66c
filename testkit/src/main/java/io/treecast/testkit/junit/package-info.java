/**
 * Clusters for JUnit tests: a test runs once for each seed, with faults of its own or drawn at
 * random, and what fails is shown with the command that repeats it, as small as it can be.
 */
@NullMarked
package io.treecast.testkit.junit;

import org.jspecify.annotations.NullMarked;
