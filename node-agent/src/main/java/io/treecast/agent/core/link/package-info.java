/**
 * Links to other members: discovery and dialing, handshakes and admission, the set of known
 * members, and the choice of neighbours in a large cluster. Does not know trees.
 */
@NullMarked
package io.treecast.agent.core.link;

import org.jspecify.annotations.NullMarked;
