/**
 * The contract between broadcast and its host, the agent or a simulator: limits, the effects that
 * the host carries out, the options of a subscription, and the reasons of a refusal.
 *
 * <p>Out of scope: the exchange between members, which the host only transports.
 */
@NullMarked
package io.treecast.collectives.broadcast.contract;

import org.jspecify.annotations.NullMarked;
