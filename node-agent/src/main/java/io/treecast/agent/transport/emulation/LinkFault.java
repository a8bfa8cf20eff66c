package io.treecast.agent.transport.emulation;

import io.treecast.ghs.NodeId;
import org.jspecify.annotations.Nullable;

/**
 * The faults of one direction of a link, as set in {@link LinkEmulation}. Immutable.
 *
 * @param from the sender
 * @param to the receiver
 * @param held whether messages are held until the link heals
 * @param loss the probability that a message is lost and sent again, from 0 to {@link
 *     LinkEmulation#MAX_LOSS}
 * @param delayNanos the configured delay of a message; null for the emulation's latency
 * @param heldMessages the messages that wait for the link to heal: at the ends in this process, or
 *     at the agent in question
 */
public record LinkFault(
    NodeId from,
    NodeId to,
    boolean held,
    double loss,
    @Nullable Long delayNanos,
    int heldMessages) {}
