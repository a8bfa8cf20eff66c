/**
 * Link measurement: when to probe a link, which reply answers which probe, and what the samples say
 * about the link's round-trip time.
 *
 * <p>Nothing here owns a socket, thread, clock, random source or logger: times come in with each
 * call, and what to send comes out.
 */
@NullMarked
package io.treecast.monitor;

import org.jspecify.annotations.NullMarked;
