package io.treecast.agent.runtime.admin;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * An HTTP response of an agent. Immutable.
 *
 * @param status the HTTP status code
 * @param contentType the type of the body
 * @param body the text, sent as UTF-8
 * @param tag the HTTP entity tag; a client that has the body of this tag does not receive it again.
 *     Empty for a page without a tag
 */
public record AdminPage(int status, String contentType, String body, String tag) {
  private static final String TEXT = "text/plain; charset=utf-8";

  /** Returns a plain text without a tag. */
  public static AdminPage text(int status, String body) {
    return new AdminPage(status, TEXT, body, "");
  }

  /** Returns a page with a tag, for content that rarely changes. */
  static AdminPage lasting(String contentType, String body) {
    UUID digest = UUID.nameUUIDFromBytes(body.getBytes(StandardCharsets.UTF_8));
    return new AdminPage(200, contentType, body, '"' + digest.toString() + '"');
  }

  public static AdminPage json(String body) {
    return lasting("application/json", body);
  }

  /**
   * Returns whether the client has this page, by its tag (RFC 9110, section 13.1.2; weak tags count
   * as well).
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
