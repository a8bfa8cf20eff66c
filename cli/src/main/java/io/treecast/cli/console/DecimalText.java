package io.treecast.cli.console;

import java.math.BigDecimal;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parser of decimal numbers of bounded length, such as {@code 20}, {@code 0.5}. */
public final class DecimalText {
  private static final Pattern DECIMAL = Pattern.compile("\\d{1,9}(\\.\\d{1,9})?");

  private DecimalText() {}

  /** Returns the number; null if the text is not a number from 0 to the greatest. */
  public static @Nullable BigDecimal parse(String text, BigDecimal greatest) {
    if (!DECIMAL.matcher(text).matches()) {
      return null;
    }
    BigDecimal number = new BigDecimal(text);
    return number.compareTo(greatest) <= 0 ? number : null;
  }
}
