/**
 * Mutual TLS: the certificates of agents and applications, the authorities that they trust, and the
 * agent that a certificate identifies. It also explains failed connections. It knows neither
 * Treecast's messages nor permissions.
 */
@NullMarked
package io.treecast.tls;

import org.jspecify.annotations.NullMarked;
