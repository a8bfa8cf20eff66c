package io.treecast.cli.claim;

import io.treecast.cli.console.CommandFailure;
import io.treecast.client.MemberClaims;
import io.treecast.client.Treecast;
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
   * Checks what a subcommand cannot require, since its command would require it of both.
   *
   * @throws CommandFailure if there are no members
   */
  void check() {
    if (members.isEmpty()) {
      throw CommandFailure.usage("--among is missing: name the members that grant the claim");
    }
  }

  MemberClaims claims(Treecast treecast) {
    MemberClaims claims = treecast.claims().among(members);
    return isAdvisory ? claims.advisory() : claims;
  }
}
