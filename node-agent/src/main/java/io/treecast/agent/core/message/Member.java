package io.treecast.agent.core.message;

import io.treecast.ghs.NodeId;

/**
 * A node and where its agent accepts connections.
 *
 * @param id its name
 * @param address HOST:PORT, or {@link NetworkAddresses} in several networks
 */
public record Member(NodeId id, String address) {}
