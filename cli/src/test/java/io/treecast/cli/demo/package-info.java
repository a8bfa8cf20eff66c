@NullMarked
package io.treecast.cli.demo;

import org.jspecify.annotations.NullMarked;
