/** Tests of values that several frames share, and of reports of invalid frames. */
@NullMarked
package io.treecast.agent.wire.value;

import org.jspecify.annotations.NullMarked;
