@NullMarked
package io.treecast.agent.core.contract;

import org.jspecify.annotations.NullMarked;
