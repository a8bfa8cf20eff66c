/**
 * The state of an agent as others read it: frames of its status, the reasons for a link's place in
 * a tree, and the version of this build.
 */
@NullMarked
package io.treecast.agent.runtime.status;

import org.jspecify.annotations.NullMarked;
