/**
 * The service for clients: broadcasts, uploads, subscriptions, confirmations and collective
 * operations, with a limit for each queue. Objects here belong to the thread of the agent's loop,
 * unless they say otherwise; calls arrive on gRPC's threads and are handed to it.
 */
@NullMarked
package io.treecast.agent.runtime.application;

import org.jspecify.annotations.NullMarked;
