@NullMarked
package io.treecast.testkit.example;

import org.jspecify.annotations.NullMarked;
