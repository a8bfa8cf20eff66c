package io.treecast.agent.config;

import java.nio.charset.StandardCharsets;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The allowed labels of an agent, and their storage as shared values: the map {@value #MAP} has an
 * entry for each label of each member.
 */
public final class Labels {
  /** The map of shared values that contains the labels. */
  public static final String MAP = "treecast.labels";

  /** The label with the site of an agent; the setting {@code site} sets it. */
  public static final String SITE = "site";

  static final String NAMES = "1 to 63 letters, digits, '.', '_' and '-', except 'id' and 'site'";

  static final String VALUES = "1 to 200 bytes without commas and control characters";

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,63}");
  private static final Pattern VALUE = Pattern.compile("[^\\p{Cntrl},]+");
  private static final int MAX_VALUE_BYTES = 200;

  private Labels() {}

  /** Returns the labels in an agent's settings, including its site. */
  public static SortedMap<String, String> of(AgentConfig config) {
    SortedMap<String, String> labels = new TreeMap<>(config.labels());
    String site = config.site();
    if (site != null) {
      labels.put(SITE, site);
    }
    return labels;
  }

  /** Returns whether an agent or application may set a label of this name. */
  public static boolean isName(String name) {
    return NAME.matcher(name).matches() && !name.equals("id") && !name.equals(SITE);
  }

  /** Returns whether a label may have this value. */
  public static boolean isValue(String value) {
    return VALUE.matcher(value).matches()
        && value.equals(value.strip())
        && value.getBytes(StandardCharsets.UTF_8).length <= MAX_VALUE_BYTES;
  }

  /** Returns the key of a member's label in the map. */
  public static String key(String member, String name) {
    return member + "/" + name;
  }
}
