/**
 * The event loop: the one thread that owns the core of an agent. It has a bounded queue, and other
 * threads reach the core through it only.
 */
@NullMarked
package io.treecast.agent.runtime.loop;

import org.jspecify.annotations.NullMarked;
