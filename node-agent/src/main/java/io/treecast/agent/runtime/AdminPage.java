package io.treecast.agent.runtime;

import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * What an agent answers over HTTP. Immutable.
 *
 * @param status HTTP's number for what became of the request
 * @param contentType what the body is
 * @param body the text, sent as UTF-8
 * @param tag stands for the body, as HTTP's entity tag; who has the body of this tag is not sent it
 *     again. Empty for a page that is never asked for so
 */
record AdminPage(int status, String contentType, String body, String tag) {
  private static final String TEXT = "text/plain; charset=utf-8";

  /** Plain text, other each time. */
  static AdminPage text(int status, String body) {
    return new AdminPage(status, TEXT, body, "");
  }

  /** A page that is the same for a while, so that whoever looks again and again is told little. */
  static AdminPage lasting(String contentType, String body) {
    UUID digest = UUID.nameUUIDFromBytes(body.getBytes(StandardCharsets.UTF_8));
    return new AdminPage(200, contentType, body, '"' + digest.toString() + '"');
  }

  static AdminPage json(String body) {
    return lasting("application/json", body);
  }
}
