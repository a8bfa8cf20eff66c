/**
 * Ownership: leases with fencing numbers, which a majority of named members grants. {@link
 * io.treecast.collectives.claim.Claims} is the entry point; its Javadoc explains why a claim has at
 * most one holder at a time, and why fencing numbers rise.
 *
 * <p>One thread owns every object of this package. They own no socket, thread, clock, random source
 * or logger.
 */
@NullMarked
package io.treecast.collectives.claim;

import org.jspecify.annotations.NullMarked;
