/** The settings of an agent: by flags, by a YAML file, or by the program that embeds it. */
@NullMarked
package io.treecast.agent.config;

import org.jspecify.annotations.NullMarked;
