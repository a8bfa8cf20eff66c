@NullMarked
package io.treecast.testkit.run;

import org.jspecify.annotations.NullMarked;
