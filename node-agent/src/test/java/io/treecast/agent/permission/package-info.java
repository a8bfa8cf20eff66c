/** Specifies the actions that a file of permissions allows. */
@NullMarked
package io.treecast.agent.permission;

import org.jspecify.annotations.NullMarked;
