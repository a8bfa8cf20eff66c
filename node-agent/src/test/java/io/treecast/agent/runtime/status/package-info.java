@NullMarked
package io.treecast.agent.runtime.status;

import org.jspecify.annotations.NullMarked;
