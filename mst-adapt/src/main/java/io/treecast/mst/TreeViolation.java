package io.treecast.mst;

/**
 * A neighbour sent what no correct neighbour can send. The message names the rule that it broke.
 */
public final class TreeViolation extends Exception {
  private static final long serialVersionUID = 1L;

  private final String reason;

  /** Says which rule. */
  public TreeViolation(String reason) {
    super(reason);
    this.reason = reason;
  }

  /** The rule that was broken, for a person. */
  public String reason() {
    return reason;
  }
}
