/** Translates between what the core says and what is on the wire. Stateless; any thread. */
@NullMarked
package io.treecast.agent.wire;

import org.jspecify.annotations.NullMarked;
