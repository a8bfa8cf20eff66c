@NullMarked
package io.treecast.cli.console;

import org.jspecify.annotations.NullMarked;
