/**
 * Mutual TLS: the certificates of agents and applications, the authorities that they trust, and the
 * agent that a certificate identifies; and why a connection failed.
 */
@NullMarked
package io.treecast.tls;

import org.jspecify.annotations.NullMarked;
