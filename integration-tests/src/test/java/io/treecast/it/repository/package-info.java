/** Tests of the repository's documents, scripts, archives and manifests against the product. */
@NullMarked
package io.treecast.it.repository;

import org.jspecify.annotations.NullMarked;
