@NullMarked
package io.treecast.collectives.broadcast.topic;

import org.jspecify.annotations.NullMarked;
