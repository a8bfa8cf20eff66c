/**
 * The service for applications: broadcasts, uploads, subscriptions, confirmations, collective
 * operations, claims, groups and shared values, with a limit for each queue. Calls arrive on gRPC's
 * threads and are handed over to the agent's loop. Unless documented otherwise, the objects of this
 * package belong to the loop's thread.
 */
@NullMarked
package io.treecast.agent.runtime.application;

import org.jspecify.annotations.NullMarked;
