package io.treecast.agent.core.path;

import io.treecast.ghs.NodeId;

/**
 * The name of a control stream that several connections may carry.
 *
 * @param dialer the end that opened the stream
 * @param incarnation the dialer's incarnation
 * @param link the stream's number, unique within that incarnation
 */
record StreamName(NodeId dialer, long incarnation, long link) {}
