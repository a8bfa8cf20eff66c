/**
 * Answers to publishers: receipts of delivery, gathered along the tree into one confirmation, and
 * reports of the members that have a replica.
 *
 * <p>In scope: receipts and replicas of any origin that this member forwards, and the waits of
 * publishers at this member. Out of scope: the delivery itself.
 */
@NullMarked
package io.treecast.collectives.broadcast.receipt;

import org.jspecify.annotations.NullMarked;
