/**
 * The contract of collective operations: operations with their values and reductions, the messages
 * between members, limits, outcomes, and the effects that the host carries out.
 *
 * <p>In scope: immutable values, and what the host implements. Out of scope: the state of an
 * operation, which {@link io.treecast.collectives.operation} has.
 */
@NullMarked
package io.treecast.collectives.operation.contract;

import org.jspecify.annotations.NullMarked;
