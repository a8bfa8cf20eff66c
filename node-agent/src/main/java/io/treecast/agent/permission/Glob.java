package io.treecast.agent.permission;

/**
 * A pattern in which {@code *} matches any number of characters. Other characters match themselves.
 *
 * @param text the pattern
 */
record Glob(String text) {
  /**
   * Returns whether the whole text matches. The time is at most proportional to the product of both
   * lengths.
   */
  boolean matches(String candidate) {
    int at = 0;
    int pattern = 0;
    int star = -1;
    int resume = 0;
    while (at < candidate.length()) {
      if (pattern < text.length() && text.charAt(pattern) == '*') {
        star = pattern++;
        resume = at;
      } else if (pattern < text.length() && text.charAt(pattern) == candidate.charAt(at)) {
        pattern++;
        at++;
      } else if (star >= 0) {
        // The last star takes one more character.
        pattern = star + 1;
        at = ++resume;
      } else {
        return false;
      }
    }
    return text.substring(pattern).chars().allMatch(c -> c == '*');
  }
}
