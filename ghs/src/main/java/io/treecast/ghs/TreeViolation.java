package io.treecast.ghs;

/** A neighbour sent a message that no correct neighbour sends. The text names the broken rule. */
public final class TreeViolation extends Exception {
  private static final long serialVersionUID = 1L;

  private final String reason;

  /** A breach of this rule. */
  public TreeViolation(String reason) {
    super(reason);
    this.reason = reason;
  }

  /** The rule that was broken, for people. */
  public String reason() {
    return reason;
  }
}
