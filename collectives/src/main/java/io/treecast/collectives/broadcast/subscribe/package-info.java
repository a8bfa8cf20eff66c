/**
 * The subscribers at this member: the position of each in each stream, the treatment of slow ones,
 * and the delivery of a message, which receipts report.
 *
 * <p>Out of scope: the interests of other members, and the total order.
 */
@NullMarked
package io.treecast.collectives.broadcast.subscribe;

import org.jspecify.annotations.NullMarked;
