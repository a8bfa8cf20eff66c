/** The service that injects faults, for tests; off unless the settings allow it. */
@NullMarked
package io.treecast.agent.runtime.fault;

import org.jspecify.annotations.NullMarked;
