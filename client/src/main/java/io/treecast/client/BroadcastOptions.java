package io.treecast.client;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Options of a broadcast. Immutable; the methods return changed copies.
 *
 * <pre>{@code
 * BroadcastOptions.defaults().withConfirm(Confirm.ALL, Duration.ofSeconds(10))
 * }</pre>
 */
public final class BroadcastOptions {
  /** The maximum time for confirmations. */
  public static final Duration MAX_CONFIRM_DEADLINE = Duration.ofHours(1);

  /** The maximum number of replicas or confirmations that a broadcast requires. */
  public static final int MAX_MEMBERS = 10_000;

  private static final BroadcastOptions DEFAULTS =
      new BroadcastOptions("", null, null, Confirm.NONE, Duration.ZERO, 0, 0, null, Map.of());

  private final String topic;
  private final @Nullable Selector selector;
  private final @Nullable Duration wait;
  private final Confirm confirm;
  private final Duration confirmDeadline;
  private final int minimumMembers;
  private final int replicas;
  private final @Nullable RetryToken retryToken;
  private final Map<String, String> headers;

  private BroadcastOptions(
      String topic,
      @Nullable Selector selector,
      @Nullable Duration wait,
      Confirm confirm,
      Duration confirmDeadline,
      int minimumMembers,
      int replicas,
      @Nullable RetryToken retryToken,
      Map<String, String> headers) {
    this.topic = topic;
    this.selector = selector;
    this.wait = wait;
    this.confirm = confirm;
    this.confirmDeadline = confirmDeadline;
    this.minimumMembers = minimumMembers;
    this.replicas = replicas;
    this.retryToken = retryToken;
    this.headers = headers;
  }

  /**
   * Returns options for the default topic, with the client's default wait, no replicas, no
   * confirmations and no retry token.
   */
  public static BroadcastOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Returns default options for selected members: the broadcast reaches the subscribers of the
   * default topic at these members, and crosses only the tree edges that lead to one of them. The
   * members can be asked to {@linkplain #withConfirm confirm}; then "all" means the selected
   * members.
   *
   * <p>A member that is not in the tree receives the broadcast if it returns within five minutes.
   * Broadcasts to the same members arrive in order; other broadcasts may overtake them. Uploads
   * cannot be sent to selected members.
   *
   * @param member node id of its agent
   * @param others of further members; all ids take at most 2,000 bytes with a comma between two
   * @throws IllegalArgumentException if an id is invalid, or the ids exceed this size
   */
  public static BroadcastOptions to(String member, String... others) {
    TreeSet<String> receivers = new TreeSet<>(List.of(others));
    receivers.add(member);
    return DEFAULTS.withReceivers(receivers);
  }

  /**
   * Returns default options for the members that match a selector when the broadcast is sent;
   * otherwise as {@link #to(String, String...)}. A broadcast that selects no member fails with
   * {@code MEMBERS_MISSING}.
   */
  public static BroadcastOptions to(Selector selector) {
    return DEFAULTS.withReceivers("", Objects.requireNonNull(selector, "selector"));
  }

  /** Returns a copy of these options for the members with these ids. */
  BroadcastOptions withReceivers(Collection<String> receivers) {
    return withReceivers(TopicName.to(receivers), null);
  }

  private BroadcastOptions withReceivers(String selection, @Nullable Selector newSelector) {
    return new BroadcastOptions(
        selection,
        newSelector,
        wait,
        confirm,
        confirmDeadline,
        minimumMembers,
        replicas,
        retryToken,
        headers);
  }

  /** Returns the selector of the receivers; null without a selector, or once it is resolved. */
  @Nullable Selector selector() {
    return selector;
  }

  /** Returns whether the broadcast is for selected members. */
  boolean isForSelected() {
    return selector != null || TopicName.isSelection(topic);
  }

  /**
   * Selects a topic: only its subscribers receive the broadcast, and it is sent only towards them.
   *
   * @param newTopic empty for the default topic; otherwise 1 to 200 bytes of UTF-8, without control
   *     characters
   * @throws IllegalArgumentException if the topic is invalid, or members are asked to confirm and
   *     it is not the default topic
   */
  public BroadcastOptions withTopic(String newTopic) {
    return new BroadcastOptions(
        checked(TopicName.checked(newTopic), confirm),
        null,
        wait,
        confirm,
        confirmDeadline,
        minimumMembers,
        replicas,
        retryToken,
        headers);
  }

  private static String checked(String topic, Confirm confirm) {
    if (confirm == Confirm.ALL && !topic.isEmpty() && !TopicName.isSelection(topic)) {
      throw new IllegalArgumentException(
          "members cannot be asked to confirm a broadcast on topic '"
              + topic
              + "'; only those on the default topic and to selected members reach known members");
    }
    return topic;
  }

  /**
   * Limits the total wait for the agent and, in the agent, for a tree, for room and for {@linkplain
   * #withReplicas replicas}; replaces {@link TreecastBuilder#defaultWait}.
   *
   * @throws IllegalArgumentException if it is negative or longer than {@link
   *     TreecastBuilder#MAX_WAIT}
   */
  public BroadcastOptions withWait(Duration limit) {
    TreecastBuilder.checkWait(limit);
    return new BroadcastOptions(
        topic,
        selector,
        limit,
        confirm,
        confirmDeadline,
        minimumMembers,
        replicas,
        retryToken,
        headers);
  }

  /**
   * Waits until other members have the broadcast, too. Without replicas the future completes when
   * the publisher's agent has the broadcast in memory; if that agent is killed before it has
   * forwarded the broadcast, the broadcast is lost. With {@code count} replicas the broadcast
   * survives the loss of any {@code count} of the agents that have it, including the publisher's.
   *
   * <p>If fewer members have the broadcast at the end of the {@linkplain #withWait wait}, the
   * future fails with {@code NOT_REPLICATED}, and the exception has their number: the broadcast was
   * accepted, and is on its way. For an upload, the wait for replicas begins when the agent has all
   * of it. A wait of zero leaves no time for replicas.
   *
   * @param count the number of members of the tree, besides the publisher's own agent; they need
   *     not have subscribers. On a topic, only members that subscribe, or are on the way to a
   *     subscriber, receive the broadcast. 0 for none
   * @throws IllegalArgumentException if it is negative or more than {@link #MAX_MEMBERS}
   */
  public BroadcastOptions withReplicas(int count) {
    if (count < 0 || count > MAX_MEMBERS) {
      throw new IllegalArgumentException(
          "a broadcast cannot wait for " + count + " replicas; allowed are 0 to " + MAX_MEMBERS);
    }
    return new BroadcastOptions(
        topic,
        selector,
        wait,
        confirm,
        confirmDeadline,
        minimumMembers,
        count,
        retryToken,
        headers);
  }

  /**
   * Asks members to confirm. The future then completes when all have confirmed or have left the
   * tree, or at the deadline.
   *
   * @param who {@code ALL}, or {@code NONE} to ask no member
   * @param deadline the time for confirmations, from the publication on
   * @throws IllegalArgumentException if it is shorter than a millisecond or longer than {@link
   *     #MAX_CONFIRM_DEADLINE}, or all are asked and the topic is not the default topic
   */
  public BroadcastOptions withConfirm(Confirm who, Duration deadline) {
    Objects.requireNonNull(who, "who");
    Objects.requireNonNull(deadline, "deadline");
    if (deadline.compareTo(Duration.ofMillis(1)) < 0
        || deadline.compareTo(MAX_CONFIRM_DEADLINE) > 0) {
      throw new IllegalArgumentException(
          "the deadline of a confirmation is %s; allowed are 1 ms to %s h"
              .formatted(deadline, MAX_CONFIRM_DEADLINE.toHours()));
    }
    return new BroadcastOptions(
        checked(topic, who), selector, wait, who, deadline, 0, replicas, retryToken, headers);
  }

  /**
   * Asks members to confirm, and requires a minimum of confirmations. At the publication the tree
   * may have few members, even only the publisher's agent, and "all" means the members at that
   * time. Members {@linkplain Confirmation#withoutSubscriber without a subscriber} count. If fewer
   * members than the minimum have the broadcast in the end, the future fails with {@code
   * NOT_CONFIRMED}, and the exception has their number: the broadcast was accepted, and is on its
   * way.
   *
   * @param who {@code ALL}
   * @param deadline the time for confirmations, from the publication on
   * @param atLeast the minimum number of members, including the publisher's own agent; at least 1
   * @throws IllegalArgumentException as {@link #withConfirm(Confirm, Duration)}, or if no member is
   *     asked, or the minimum is less than 1 or more than {@link #MAX_MEMBERS}
   */
  public BroadcastOptions withConfirm(Confirm who, Duration deadline, int atLeast) {
    BroadcastOptions asked = withConfirm(who, deadline);
    if (who == Confirm.NONE) {
      throw new IllegalArgumentException(
          "at least "
              + atLeast
              + " members should confirm, and no confirmation is requested; "
              + "use Confirm.ALL");
    }
    if (atLeast < 1 || atLeast > MAX_MEMBERS) {
      throw new IllegalArgumentException(
          "at least " + atLeast + " members are to confirm; allowed are 1 to " + MAX_MEMBERS);
    }
    return new BroadcastOptions(
        topic, selector, wait, who, asked.confirmDeadline, atLeast, replicas, retryToken, headers);
  }

  /**
   * Makes the broadcast safe to repeat. If it is unknown whether the agent has accepted it, it can
   * be sent again with the same payload and token, and is never published twice.
   *
   * @param token a token for this broadcast alone
   */
  public BroadcastOptions withRetryToken(RetryToken token) {
    Objects.requireNonNull(token, "token");
    return new BroadcastOptions(
        topic, selector, wait, confirm, confirmDeadline, minimumMembers, replicas, token, headers);
  }

  /**
   * Sends names and values with the message, such as {@code traceparent}, the trace context of W3C.
   * Subscribers read them with {@link Message#headers}. They replace earlier headers of these
   * options, and count as payload. Uploads have none.
   *
   * @param newHeaders at most 32, of 4,096 bytes together; names of small letters, digits, {@code
   *     .}, {@code _} and {@code -}; copied
   * @throws IllegalArgumentException if a name, the number or the size is not allowed
   */
  public BroadcastOptions withHeaders(Map<String, String> newHeaders) {
    return new BroadcastOptions(
        topic,
        selector,
        wait,
        confirm,
        confirmDeadline,
        minimumMembers,
        replicas,
        retryToken,
        Headers.checked(newHeaders));
  }

  /** Returns the headers, in the order in which they were given. */
  public Map<String, String> headers() {
    return headers;
  }

  /**
   * Returns the topic; empty for the default topic and for a selector, {@code to/} and the ids for
   * selected members.
   */
  public String topic() {
    return topic;
  }

  /** Returns the maximum wait; null for {@link TreecastBuilder#defaultWait}. */
  public @Nullable Duration waitLimit() {
    return wait;
  }

  Duration wait(Duration defaultWait) {
    return wait == null ? defaultWait : wait;
  }

  /** Returns the members that are asked to confirm. */
  public Confirm confirm() {
    return confirm;
  }

  /** Returns the time for confirmations; 0 unless it was set. */
  public Duration confirmDeadline() {
    return confirmDeadline;
  }

  /** Returns the number of members that must confirm the broadcast; 0 without a minimum. */
  public int minimumMembers() {
    return minimumMembers;
  }

  /** Returns the number of replicas for which the future waits. */
  public int replicas() {
    return replicas;
  }

  boolean isConfirmed() {
    return confirm == Confirm.ALL;
  }

  /** Returns the time for confirmations in milliseconds; 0 if members are not asked. */
  long confirmMillis() {
    return isConfirmed() ? confirmDeadline.toMillis() : 0;
  }

  /** Returns the retry token; null if the broadcast cannot be repeated. */
  public @Nullable RetryToken retryToken() {
    return retryToken;
  }

  /** Compares all options, including the retry token. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof BroadcastOptions that
        && topic.equals(that.topic)
        && Objects.equals(selector, that.selector)
        && Objects.equals(wait, that.wait)
        && confirm == that.confirm
        && confirmDeadline.equals(that.confirmDeadline)
        && minimumMembers == that.minimumMembers
        && replicas == that.replicas
        && retryToken == that.retryToken
        && headers.equals(that.headers);
  }

  @Override
  public int hashCode() {
    return Objects.hash(topic, wait, confirm, confirmDeadline, minimumMembers, replicas);
  }

  /** Describes the options, for a log. */
  @Override
  public String toString() {
    return "BroadcastOptions[topic="
        + topic
        + (selector == null ? "" : ", to=" + selector)
        + ", wait="
        + (wait == null ? "default" : wait)
        + ", confirm="
        + confirm
        + (confirm == Confirm.NONE ? "" : " within " + confirmDeadline)
        + (minimumMembers == 0 ? "" : " by at least " + minimumMembers)
        + (replicas == 0 ? "" : ", replicas=" + replicas)
        + (headers.isEmpty() ? "" : ", headers=" + headers)
        + ", retryToken="
        + retryToken
        + "]";
  }
}
