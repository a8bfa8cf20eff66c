/**
 * The service for operators: status over gRPC; health, metrics, the live page and its JSON over
 * HTTP. Requests read the agent's state and change nothing. Each answer is bounded in size and in
 * time.
 */
@NullMarked
package io.treecast.agent.runtime.admin;

import org.jspecify.annotations.NullMarked;
