@NullMarked
package io.treecast.agent.runtime.admin;

import org.jspecify.annotations.NullMarked;
