@NullMarked
package io.treecast.agent.runtime.series;

import org.jspecify.annotations.NullMarked;
