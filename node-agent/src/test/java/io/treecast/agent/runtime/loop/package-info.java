@NullMarked
package io.treecast.agent.runtime.loop;

import org.jspecify.annotations.NullMarked;
