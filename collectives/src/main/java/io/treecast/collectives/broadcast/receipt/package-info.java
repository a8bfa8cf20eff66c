/**
 * Answers to publishers: receipts of delivery, gathered along the tree into one confirmation, and
 * reports of the members that have a replica.
 */
@NullMarked
package io.treecast.collectives.broadcast.receipt;

import org.jspecify.annotations.NullMarked;
