package io.treecast.agent.core.path;

import io.treecast.ghs.NodeId;

/**
 * The name of a control stream that several connections may carry.
 *
 * @param dialer the end that opened it
 * @param incarnation the dialer's
 * @param link a number that no other stream of that incarnation has
 */
record StreamName(NodeId dialer, long incarnation, long link) {}
