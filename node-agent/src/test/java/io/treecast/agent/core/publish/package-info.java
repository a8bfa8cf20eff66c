@NullMarked
package io.treecast.agent.core.publish;

import org.jspecify.annotations.NullMarked;
