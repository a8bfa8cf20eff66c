/** Tests of ownership: every order of events for three members, and random networks. */
@NullMarked
package io.treecast.collectives.claim;

import org.jspecify.annotations.NullMarked;
