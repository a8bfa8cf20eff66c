package io.treecast.cli.fault;

import io.treecast.agent.transport.emulation.LinkEmulation;
import io.treecast.cli.console.CommandFailure;
import io.treecast.cli.console.DecimalText;
import io.treecast.cli.console.RttText;
import io.treecast.cli.query.MemberDirectory.Link;
import io.treecast.proto.v1.FaultyLink;
import io.treecast.proto.v1.InjectFaultRequest;
import io.treecast.proto.v1.SetRoundTrip;
import java.math.BigDecimal;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

/** {@code treecast fault rtt}. */
@Command(
    name = "rtt",
    description = {
      "Sets the round trip of a link, half of it in each direction, for messages "
          + "sent from now on.",
      "In a demo it replaces the emulated one; between separate agent processes it "
          + "adds to the network's."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Examples:",
      "  treecast fault rtt 4-6 6001",
      "  treecast fault rtt 4-6 original"
    })
final class FaultRttCommand extends LinkFaultCommand {
  private static final String ORIGINAL = "original";
  private static final BigDecimal MAX_MILLIS =
      BigDecimal.valueOf(LinkEmulation.MAX_ROUND_TRIP_MICROS / 1_000);

  @Parameters(
      index = "1",
      paramLabel = "MILLIS",
      description = "The round trip in milliseconds, or '" + ORIGINAL + "' to restore it.")
  private String millis = "";

  private @Nullable Long rttMicros;

  @Override
  void check() {
    if (millis.equals(ORIGINAL)) {
      return;
    }
    BigDecimal parsed = DecimalText.parse(millis.replaceFirst("ms$", ""), MAX_MILLIS);
    if (parsed != null) {
      rttMicros = parsed.movePointRight(3).setScale(0, RoundingMode.HALF_UP).longValueExact();
      return;
    }
    throw CommandFailure.usage(
        "the round trip '%s' is not allowed; allowed are milliseconds from 0 to %s, or '%s'"
            .formatted(millis, MAX_MILLIS, ORIGINAL));
  }

  @Override
  InjectFaultRequest fault(FaultyLink ends) {
    SetRoundTrip.Builder roundTrip = SetRoundTrip.newBuilder().setLink(ends);
    if (rttMicros != null) {
      roundTrip.setRttMicros(rttMicros);
    }
    return InjectFaultRequest.newBuilder().setSetRoundTrip(roundTrip).build();
  }

  @Override
  String effect(Link ends) {
    Long micros = rttMicros;
    return micros == null
        ? "link " + ends + " has its original round trip"
        : "link " + ends + " has an emulated round trip of " + RttText.millis(micros) + " ms";
  }

  @Override
  void describe(ObjectNode json) {
    json.put("fault", "rtt");
    Long micros = rttMicros;
    json.put("rttMillis", micros == null ? null : micros / 1e3);
  }
}
