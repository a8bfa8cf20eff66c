@NullMarked
package io.treecast.cli.health;

import org.jspecify.annotations.NullMarked;
