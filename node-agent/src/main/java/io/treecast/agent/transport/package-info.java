/**
 * Carries an agent's connections over gRPC, with emulated latency where configuration asks for it.
 */
@NullMarked
package io.treecast.agent.transport;

import org.jspecify.annotations.NullMarked;
