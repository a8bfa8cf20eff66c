package io.treecast.client;

/**
 * A request as a server receives it.
 *
 * @param from the member whose agent the requester uses
 * @param service the name of the service
 * @param payload its bytes; this array is the receiver's own, and is not copied
 */
@SuppressWarnings("ArrayRecordComponent") // Payloads are bytes, and requests are not compared.
public record Request(String from, String service, byte[] payload) {}
