package io.treecast.cli.messages;

import io.treecast.client.Confirmation;
import io.treecast.client.Confirmation.Hop;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The known deliveries of a broadcast, in JSON; times are milliseconds. */
final class ConfirmationJson {
  private ConfirmationJson() {}

  static void add(ObjectNode json, Confirmation confirmation) {
    confirmation.delivered().forEach(json.putArray("delivered")::add);
    confirmation.withoutSubscriber().forEach(json.putArray("withoutSubscriber")::add);
    confirmation.failed().forEach(json.putArray("failed")::add);
    confirmation.unknown().forEach(json.putArray("unknown")::add);
    json.put("timeToLastMillis", confirmation.timeToLastNanos() / 1e6)
        .put("timeToLastErrorMillis", confirmation.timeToLastErrorNanos() / 1e6);
    ArrayNode hops = json.putArray("hops");
    for (Hop hop : confirmation.hops()) {
      hops.addObject()
          .put("member", hop.member())
          .put("from", hop.from())
          .put("afterMillis", hop.afterNanos() / 1e6)
          .put("errorMillis", hop.errorNanos() / 1e6)
          .put("handedOver", hop.isHandedOver());
    }
  }
}
