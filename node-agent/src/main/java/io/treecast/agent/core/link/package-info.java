/**
 * Links to other members: discovery and dialing, handshakes and admission, the set of known
 * members, and the choice of neighbours in a large cluster. The tree protocol belongs to {@code
 * tree}, measurement to {@code measure}, data streams to {@code data}.
 */
@NullMarked
package io.treecast.agent.core.link;

import org.jspecify.annotations.NullMarked;
