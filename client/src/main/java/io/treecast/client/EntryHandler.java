package io.treecast.client;

import java.lang.System.Logger.Level;

/**
 * Receives the entries of shared {@link Values}, one at a time, under the rules of a {@link
 * MessageHandler}: a handler that throws ends its watch. A slow handler skips to the latest entry
 * of each key.
 *
 * @param <T> the type of the values
 */
@FunctionalInterface
public interface EntryHandler<T> extends ConnectionListener {
  /** Handles an entry that is present, new, or has changed. */
  void onEntry(ValueEntry<T> entry);

  /** Handles the end of an entry that was deleted, or was ephemeral. Does nothing by default. */
  default void onRemoved(String key) {}

  /**
   * Reports that all entries that the agent had at the start were handled. Called again after each
   * interruption. Does nothing by default.
   */
  default void onLive() {}

  /**
   * Reports a value that the codec cannot decode; the entry is skipped. Logs a warning unless
   * overridden.
   *
   * @param why the exception of the codec
   */
  default void onUndecodable(String key, Exception why) {
    ReconnectingStream.LOG.log(
        Level.WARNING, "skipping the value of '" + key + "', which the codec cannot decode", why);
  }
}
