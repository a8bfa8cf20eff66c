package io.treecast.cli.claim;

import io.treecast.agent.wire.ClaimCodec;
import io.treecast.agent.wire.value.WireViolation;
import io.treecast.cli.console.CommandFailure;
import io.treecast.client.MemberClaims;
import io.treecast.client.Treecast;
import io.treecast.proto.v1.Claim;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** The flags that identify a claim beside its name. */
final class ClaimFlags {
  @Option(
      names = "--among",
      paramLabel = "ID",
      split = ",",
      description =
          "The members whose majority grants the claim, 1 to 15, separated by commas: the same for all "
              + "callers.")
  private List<String> members = new ArrayList<>();

  @Option(
      names = "--advisory",
      description =
          "A majority of those members that are in the present tree suffices: in a partition each part can "
              + "have a holder.")
  private boolean isAdvisory;

  /**
   * Checks name and members.
   *
   * @throws CommandFailure if members are missing (a required option is impossible here, because
   *     the parser would require it of the parent command as well), or if no claim has such a name
   *     or members
   */
  void check(String name) {
    if (members.isEmpty()) {
      throw CommandFailure.usage("--among is missing: name the members that grant the claim");
    }
    try {
      var unused =
          ClaimCodec.decode(Claim.newBuilder().setName(name).addAllMembers(members).build());
    } catch (WireViolation e) {
      throw CommandFailure.usage(String.valueOf(e.getMessage()));
    }
  }

  MemberClaims claims(Treecast treecast) {
    MemberClaims claims = treecast.claims().among(members);
    return isAdvisory ? claims.advisory() : claims;
  }
}
