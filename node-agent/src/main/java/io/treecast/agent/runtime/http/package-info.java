/**
 * Clients that publish and subscribe by plain HTTP, such as {@code curl}, on the port of the admin
 * pages. Each request becomes a call of the service for applications, with the permissions and
 * limits of a gRPC call. The admin pages themselves are in {@code admin}.
 */
@NullMarked
package io.treecast.agent.runtime.http;

import org.jspecify.annotations.NullMarked;
