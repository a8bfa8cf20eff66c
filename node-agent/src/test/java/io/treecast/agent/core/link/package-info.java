@NullMarked
package io.treecast.agent.core.link;

import org.jspecify.annotations.NullMarked;
