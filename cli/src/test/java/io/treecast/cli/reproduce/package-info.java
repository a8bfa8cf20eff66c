@NullMarked
package io.treecast.cli.reproduce;

import org.jspecify.annotations.NullMarked;
