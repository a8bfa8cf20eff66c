/** The command for claims: ownership with a lease and a fencing number. */
@NullMarked
package io.treecast.cli.claim;

import org.jspecify.annotations.NullMarked;
