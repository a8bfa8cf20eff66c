/** Specifies what the rules of a file of permissions allow. */
@NullMarked
package io.treecast.agent.permission;

import org.jspecify.annotations.NullMarked;
