@NullMarked
package io.treecast.agent.runtime.application;

import org.jspecify.annotations.NullMarked;
