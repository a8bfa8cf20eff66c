/**
 * Interest: the topics to which members behind each neighbour subscribe, and the ends of a topic's
 * streams for a member with a new interest.
 *
 * <p>In scope: reports and acknowledgements of interest. Out of scope: the content, which edges
 * carry.
 */
@NullMarked
package io.treecast.collectives.broadcast.topic;

import org.jspecify.annotations.NullMarked;
