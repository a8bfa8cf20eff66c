@NullMarked
package io.treecast.cli.query;

import org.jspecify.annotations.NullMarked;
