/**
 * The subscribers at this member: the position of each in each stream, the treatment of slow ones,
 * and the delivery of a message, which receipts report.
 *
 * <p>Out of scope: topics as other members want them, and the total order, which have their own
 * rooms.
 */
@NullMarked
package io.treecast.collectives.broadcast.subscribe;

import org.jspecify.annotations.NullMarked;
