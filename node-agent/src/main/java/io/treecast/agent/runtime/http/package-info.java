/**
 * Clients that publish and subscribe by plain HTTP, such as {@code curl}, on the port of the admin
 * pages. Each request becomes a call of the service for clients, with the permissions and limits of
 * a call over gRPC.
 */
@NullMarked
package io.treecast.agent.runtime.http;

import org.jspecify.annotations.NullMarked;
