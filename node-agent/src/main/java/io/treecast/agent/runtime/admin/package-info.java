/**
 * The service for operators: answers over gRPC, and over HTTP health, metrics, the live page and
 * the JSON that it reads. Each answer is bounded in size and in time.
 */
@NullMarked
package io.treecast.agent.runtime.admin;

import org.jspecify.annotations.NullMarked;
