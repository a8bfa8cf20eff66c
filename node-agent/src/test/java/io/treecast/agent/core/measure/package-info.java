@NullMarked
package io.treecast.agent.core.measure;

import org.jspecify.annotations.NullMarked;
