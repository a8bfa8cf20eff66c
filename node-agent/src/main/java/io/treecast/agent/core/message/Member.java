package io.treecast.agent.core.message;

import io.treecast.ghs.NodeId;

/**
 * A node, and the address at which its agent accepts connections.
 *
 * @param id its id
 * @param address HOST:PORT, or {@link NetworkAddresses} for several networks
 */
public record Member(NodeId id, String address) {}
