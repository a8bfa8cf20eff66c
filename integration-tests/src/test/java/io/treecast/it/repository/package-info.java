/** What the files of the repository say must be true. */
@NullMarked
package io.treecast.it.repository;

import org.jspecify.annotations.NullMarked;
