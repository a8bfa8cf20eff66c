/**
 * The service for clients: broadcasts, uploads, subscriptions, confirmations and collective
 * operations, with a limit for each queue. Calls arrive on gRPC's threads and are handed to the
 * event loop.
 */
@NullMarked
package io.treecast.agent.runtime.application;

import org.jspecify.annotations.NullMarked;
