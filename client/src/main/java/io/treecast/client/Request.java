package io.treecast.client;

/**
 * A request as a server receives it.
 *
 * @param from the member whose agent the requester uses
 * @param service the name of the service
 * @param payload its bytes; the receiver may keep and change this array
 */
@SuppressWarnings("ArrayRecordComponent") // Payloads are bytes, and requests are not compared.
public record Request(String from, String service, byte[] payload) {}
