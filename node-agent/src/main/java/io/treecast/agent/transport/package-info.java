/**
 * Carries an agent's connections over gRPC, with emulated latency and faults where that is asked
 * for.
 */
@NullMarked
package io.treecast.agent.transport;

import org.jspecify.annotations.NullMarked;
