/**
 * The publication of local applications' broadcasts and uploads: the queue in front of the log with
 * each client's share, repeated requests, and copies sent ahead of the tree on shortcuts. The log
 * itself belongs to {@code io.treecast.collectives.broadcast}.
 */
@NullMarked
package io.treecast.agent.core.publish;

import org.jspecify.annotations.NullMarked;
