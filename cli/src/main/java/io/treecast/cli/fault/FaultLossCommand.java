package io.treecast.cli.fault;

import io.treecast.agent.transport.emulation.LinkEmulation;
import io.treecast.cli.console.CommandFailure;
import io.treecast.cli.console.DecimalText;
import io.treecast.cli.query.MemberDirectory.Link;
import io.treecast.proto.v1.FaultyLink;
import io.treecast.proto.v1.InjectFaultRequest;
import io.treecast.proto.v1.SetLoss;
import java.math.BigDecimal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

/** {@code treecast fault loss}. */
@Command(
    name = "loss",
    description = {
      "Makes a link lose messages. They are sent again after 200 ms and the link's "
          + "round trip, then after twice that, and so on, like TCP; later messages wait "
          + "for them. 0%% ends it."
    },
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  treecast fault loss 4-6 20%%"})
final class FaultLossCommand extends LinkFaultCommand {
  private static final BigDecimal MAX_PERCENT =
      BigDecimal.valueOf(LinkEmulation.MAX_LOSS).movePointRight(2);

  @Parameters(index = "1", paramLabel = "PERCENT", description = "Probability of loss, as in 20%%.")
  private String percent = "";

  private BigDecimal lostPercent = BigDecimal.ZERO;

  @Override
  void check() {
    // The sign is required, because a bare 0.2 could mean a fifth.
    if (percent.endsWith("%")) {
      BigDecimal parsed =
          DecimalText.parse(percent.substring(0, percent.length() - 1), MAX_PERCENT);
      if (parsed != null) {
        lostPercent = parsed;
        return;
      }
    }
    throw CommandFailure.usage(
        ("the loss '%s' is not allowed; allowed are 0%% to %s%%, as in 20%%; 'treecast fault "
                + "cut' lets nothing through")
            .formatted(percent, MAX_PERCENT.stripTrailingZeros().toPlainString()));
  }

  @Override
  InjectFaultRequest fault(FaultyLink ends) {
    double loss = lostPercent.movePointLeft(2).doubleValue();
    return InjectFaultRequest.newBuilder()
        .setSetLoss(SetLoss.newBuilder().setLink(ends).setLoss(loss))
        .build();
  }

  @Override
  String effect(Link ends) {
    return "link " + ends + " loses " + lostPercent.toPlainString() + " % of its messages";
  }

  @Override
  void describe(ObjectNode json) {
    json.put("fault", "loss").put("lossPercent", lostPercent.doubleValue());
  }
}
