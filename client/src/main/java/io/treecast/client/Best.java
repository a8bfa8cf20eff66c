package io.treecast.client;

import io.treecast.proto.v1.ValueRule;

/** The rule that decides which number is better. */
public enum Best {
  /** The lower one. */
  MIN(ValueRule.VALUE_RULE_LEAST),
  /** The higher one. */
  MAX(ValueRule.VALUE_RULE_GREATEST);

  private final ValueRule rule;

  Best(ValueRule rule) {
    this.rule = rule;
  }

  ValueRule rule() {
    return rule;
  }
}
