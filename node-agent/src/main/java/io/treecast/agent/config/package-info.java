/**
 * What an agent is told at its start: by flags, by a YAML file, or by the program that embeds it.
 */
@NullMarked
package io.treecast.agent.config;

import org.jspecify.annotations.NullMarked;
