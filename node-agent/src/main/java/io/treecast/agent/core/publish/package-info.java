/**
 * Broadcasts that applications hand over: the queue in front of the log, a share of it for each
 * client, retries, and copies that go ahead of the tree on shortcuts.
 */
@NullMarked
package io.treecast.agent.core.publish;

import org.jspecify.annotations.NullMarked;
