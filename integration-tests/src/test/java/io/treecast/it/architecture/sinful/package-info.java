/**
 * A small Treecast that breaks each rule on purpose: the rules must tell. Its packages mirror the
 * layers; every class but {@code Blameless} breaks the rule that its Javadoc names.
 */
@NullMarked
package io.treecast.it.architecture.sinful;

import org.jspecify.annotations.NullMarked;
