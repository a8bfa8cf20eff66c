@NullMarked
package io.treecast.cli.messages;

import org.jspecify.annotations.NullMarked;
