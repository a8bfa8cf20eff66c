@NullMarked
package io.treecast.agent.core.message;

import org.jspecify.annotations.NullMarked;
