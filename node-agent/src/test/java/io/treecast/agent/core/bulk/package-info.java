@NullMarked
package io.treecast.agent.core.bulk;

import org.jspecify.annotations.NullMarked;
