package io.treecast.cli.query;

import io.treecast.agent.core.message.Member;
import io.treecast.cli.console.CommandFailure;
import io.treecast.ghs.NodeId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds members and links by their names on a command line. Single-threaded.
 *
 * <p>Asks other members only if the first agent does not know a name.
 */
public final class MemberDirectory {
  /** Limit of the listed members. */
  private static final int MAX_NAMED = 12;

  /**
   * A link.
   *
   * @param from the end that is named first
   * @param to the other end
   */
  public record Link(Member from, Member to) {
    @Override
    public String toString() {
      return from.id() + "-" + to.id();
    }
  }

  private final AgentInquiry agents;
  private final TreeMap<NodeId, Member> members = new TreeMap<>();
  private boolean askedAll;

  /**
   * Asks the agent for its known members.
   *
   * @throws CommandFailure if it does not answer
   */
  public MemberDirectory(AgentInquiry agents) {
    this.agents = agents;
    addAll(agents.report().members());
  }

  private void addAll(List<Member> known) {
    known.forEach(member -> members.putIfAbsent(member.id(), member));
  }

  /** Returns the members known so far, without further calls. */
  public Collection<Member> known() {
    return members.values();
  }

  /** Returns the members that any agent knows. */
  public Collection<Member> all() {
    askAll();
    return members.values();
  }

  private void askAll() {
    if (!askedAll) {
      askedAll = true;
      ClusterInquiry.of(agents).reports().forEach(report -> addAll(report.members()));
    }
  }

  /**
   * Returns the member with a name.
   *
   * @throws CommandFailure if there is none
   */
  public Member member(String name) {
    Member found = find(name);
    if (found == null) {
      askAll();
      found = find(name);
    }
    if (found == null) {
      throw unknown(name);
    }
    return found;
  }

  /**
   * Returns the link written as {@code A-B}. Names may contain dashes; the separating dash is the
   * one with members on both sides.
   *
   * @throws CommandFailure if there is no such link
   */
  public Link link(String text) {
    Link link = findLink(text);
    if (link == null) {
      askAll();
      link = findLink(text);
    }
    if (link == null) {
      throw notFound(text);
    }
    return checked(link);
  }

  /**
   * Returns the link between two members.
   *
   * @throws CommandFailure if there is no such link
   */
  public Link link(String from, String to) {
    return checked(new Link(member(from), member(to)));
  }

  private static Link checked(Link link) {
    if (link.from.equals(link.to)) {
      throw CommandFailure.usage("'" + link + "' names the same node twice; a link has two ends");
    }
    return link;
  }

  private @Nullable Link findLink(String text) {
    Link found = null;
    for (int dash = text.indexOf('-'); dash >= 0; dash = text.indexOf('-', dash + 1)) {
      Member from = find(text.substring(0, dash));
      Member to = find(text.substring(dash + 1));
      if (from != null && to != null) {
        if (found != null) {
          throw CommandFailure.usage(
              "'%s' may be %s and %s, or %s and %s; name them in the other order"
                  .formatted(text, found.from.id(), found.to.id(), from.id(), to.id()));
        }
        found = new Link(from, to);
      }
    }
    return found;
  }

  /**
   * Checks the syntax of a link before any agent is asked.
   *
   * @throws CommandFailure if the text does not have two ends
   */
  public static void checkForm(String text) {
    int dash = text.indexOf('-');
    if (dash < 1 || dash == text.length() - 1) {
      throw CommandFailure.usage(
          "'" + text + "' is not a link; expected A-B, the node ids of its ends, as in 4-6");
    }
  }

  private CommandFailure notFound(String text) {
    checkForm(text);
    int dash = text.indexOf('-');
    String from = text.substring(0, dash);
    return unknown(find(from) == null ? from : text.substring(dash + 1));
  }

  private @Nullable Member find(String name) {
    try {
      return members.get(NodeId.of(name));
    } catch (IllegalArgumentException noNodeId) {
      return null;
    }
  }

  /**
   * Checks what can be checked of the name of a member before any agent is asked.
   *
   * @throws CommandFailure if no member can have it
   */
  public static void checkName(String name) {
    try {
      var unused = NodeId.of(name);
    } catch (IllegalArgumentException e) {
      throw CommandFailure.usage(String.valueOf(e.getMessage()));
    }
  }

  private CommandFailure unknown(String name) {
    checkName(name);
    String names =
        members.keySet().stream()
            .limit(MAX_NAMED)
            .map(NodeId::toString)
            .collect(Collectors.joining(", "));
    return CommandFailure.failed(
        "no such node: '"
            + name
            + "'; the members are "
            + names
            + (members.size() > MAX_NAMED ? ", ... (" + members.size() + ")" : ""));
  }

  /** Returns both ends in the order of the text. */
  public static List<Member> ends(Link link) {
    return new ArrayList<>(List.of(link.from, link.to));
  }
}
