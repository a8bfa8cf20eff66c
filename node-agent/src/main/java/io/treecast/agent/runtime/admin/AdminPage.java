package io.treecast.agent.runtime.admin;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * What an agent answers over HTTP. Immutable.
 *
 * @param status HTTP's number for what became of the request
 * @param contentType what the body is
 * @param body the text, sent as UTF-8
 * @param tag stands for the body, as HTTP's entity tag; who has the body of this tag is not sent it
 *     again. Empty for a page that is never asked for so
 */
public record AdminPage(int status, String contentType, String body, String tag) {
  private static final String TEXT = "text/plain; charset=utf-8";

  /** Plain text, other each time. */
  public static AdminPage text(int status, String body) {
    return new AdminPage(status, TEXT, body, "");
  }

  /** A page that is the same for a while, so that whoever looks again and again is told little. */
  static AdminPage lasting(String contentType, String body) {
    UUID digest = UUID.nameUUIDFromBytes(body.getBytes(StandardCharsets.UTF_8));
    return new AdminPage(200, contentType, body, '"' + digest.toString() + '"');
  }

  public static AdminPage json(String body) {
    return lasting("application/json", body);
  }

  /**
   * Returns whether whoever asks has this page, by its tag: by RFC 9110, section 13.1.2, where weak
   * tags count as well.
   *
   * @param ifNoneMatch the fields of this name in the request
   */
  boolean isAmong(List<String> ifNoneMatch) {
    return !tag.isEmpty()
        && ifNoneMatch.stream()
            .flatMap(field -> Stream.of(field.split(",", -1)))
            .map(String::strip)
            .anyMatch(its -> its.equals("*") || its.equals(tag) || its.equals("W/" + tag));
  }
}
