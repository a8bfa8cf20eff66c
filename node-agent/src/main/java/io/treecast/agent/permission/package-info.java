/**
 * Permissions: rules for the actions of each identity, and the checks of calls against these rules.
 * This room reads no files.
 */
@NullMarked
package io.treecast.agent.permission;

import org.jspecify.annotations.NullMarked;
