/**
 * The contract between the core and its host, which is the agent's runtime or a simulator: the
 * transport and its connections, the effects that the host carries out, notices, and the states and
 * counters that the host reads. The core's algorithms do not belong here.
 */
@NullMarked
package io.treecast.agent.core.contract;

import org.jspecify.annotations.NullMarked;
