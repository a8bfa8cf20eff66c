/**
 * The event loop: the single thread that owns an agent's core. Other threads reach the core only
 * through its bounded queue.
 */
@NullMarked
package io.treecast.agent.runtime.loop;

import org.jspecify.annotations.NullMarked;
