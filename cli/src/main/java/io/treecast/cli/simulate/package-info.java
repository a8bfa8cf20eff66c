/** {@code treecast simulate}: schedules of faults and recorded networks in virtual time. */
@NullMarked
package io.treecast.cli.simulate;

import org.jspecify.annotations.NullMarked;
