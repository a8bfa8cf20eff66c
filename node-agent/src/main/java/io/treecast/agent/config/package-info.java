/**
 * The settings of an agent, from flags, a YAML file, or a program that embeds it: their syntax,
 * ranges, defaults and consistency. Also reads the file of permissions. The values themselves are
 * types of the packages that use them.
 */
@NullMarked
package io.treecast.agent.config;

import org.jspecify.annotations.NullMarked;
