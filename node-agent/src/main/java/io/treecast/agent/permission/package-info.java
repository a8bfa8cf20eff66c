/**
 * Permissions: the rules of a file, which say what each identity may do, and the checks of calls
 * against them. Reads no files.
 */
@NullMarked
package io.treecast.agent.permission;

import org.jspecify.annotations.NullMarked;
