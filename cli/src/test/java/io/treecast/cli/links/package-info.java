@NullMarked
package io.treecast.cli.links;

import org.jspecify.annotations.NullMarked;
