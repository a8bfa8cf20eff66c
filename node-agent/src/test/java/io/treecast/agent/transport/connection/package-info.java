@NullMarked
package io.treecast.agent.transport.connection;

import org.jspecify.annotations.NullMarked;
