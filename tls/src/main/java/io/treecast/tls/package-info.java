/**
 * Mutual TLS: the certificates of agents and applications, the authorities that they trust, and the
 * agent that a certificate identifies. It also explains failed connections. Treecast's messages and
 * permissions are out of scope.
 */
@NullMarked
package io.treecast.tls;

import org.jspecify.annotations.NullMarked;
