/** Values that several frames share, and how a frame that breaks the rules is reported. */
@NullMarked
package io.treecast.agent.wire.value;

import org.jspecify.annotations.NullMarked;
