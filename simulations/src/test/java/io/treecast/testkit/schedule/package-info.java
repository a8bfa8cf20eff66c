@NullMarked
package io.treecast.testkit.schedule;

import org.jspecify.annotations.NullMarked;
