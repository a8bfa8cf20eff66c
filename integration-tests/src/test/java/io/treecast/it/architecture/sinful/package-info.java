/**
 * A small copy of Treecast's layers that breaks each rule on purpose, so that tests can check the
 * rules. The Javadoc of each class names the rule that it breaks.
 */
@NullMarked
package io.treecast.it.architecture.sinful;

import org.jspecify.annotations.NullMarked;
