/** Jobs of real agents. */
@NullMarked
package io.treecast.jobs;

import org.jspecify.annotations.NullMarked;
