/**
 * The state of an agent for its readers: frames of its status, the reasons for a link's place in a
 * tree, and the version of this build. It only converts; the queries are in other packages.
 */
@NullMarked
package io.treecast.agent.runtime.status;

import org.jspecify.annotations.NullMarked;
