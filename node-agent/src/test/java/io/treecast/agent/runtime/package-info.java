@NullMarked
package io.treecast.agent.runtime;

import org.jspecify.annotations.NullMarked;
