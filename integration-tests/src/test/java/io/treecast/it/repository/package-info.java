/** Tests that claims in the repository's files are true. */
@NullMarked
package io.treecast.it.repository;

import org.jspecify.annotations.NullMarked;
