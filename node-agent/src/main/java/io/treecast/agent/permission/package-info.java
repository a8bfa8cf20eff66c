/**
 * Permissions: rules for the actions of each identity, and the checks of calls against these rules.
 * The file of rules is read in {@code io.treecast.agent.config}.
 */
@NullMarked
package io.treecast.agent.permission;

import org.jspecify.annotations.NullMarked;
