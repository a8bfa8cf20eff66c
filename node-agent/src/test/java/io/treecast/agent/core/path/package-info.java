/** Two agents with several networks between them, in virtual time. */
@NullMarked
package io.treecast.agent.core.path;

import org.jspecify.annotations.NullMarked;
