/** No layer. */
@NullMarked
package io.treecast.it.architecture.sinful.nowhere;

import org.jspecify.annotations.NullMarked;
