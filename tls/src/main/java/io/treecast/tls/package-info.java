/**
 * Mutual TLS: the certificates of agents and applications, whom they trust, and which agent a
 * certificate is of.
 */
@NullMarked
package io.treecast.tls;

import org.jspecify.annotations.NullMarked;
