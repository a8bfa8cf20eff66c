// Fills the lists of the page. What agents say becomes text of the document, and never markup.

import { byId } from "./tree-layout.js";
import { age, causes, clock, count, inAll, millis } from "./words.js";

/** More links than this are counted only. */
const MAX_LINKS = 200;

/** An element with a class and what is in it. */
export function made(tag, className, ...content) {
  const element = document.createElement(tag);
  element.className = className;
  element.append(...content);
  return element;
}

export function fill(table, header, rows) {
  const top = document.createElement("tr");
  top.append(...header.map(([text, className]) => {
    const cell = made("th", className, text);
    cell.scope = "col";
    return cell;
  }));
  table.replaceChildren(top, ...rows.map(cells => {
    const row = document.createElement("tr");
    row.append(...cells.map((content, column) => made("td", header[column][1], content)));
    return row;
  }));
}

function edgeList(sign, className, edges, more) {
  const parts = edges.map(edge => made("span", className, sign + " " + edge.a + "–" + edge.b));
  if (more > 0) {
    parts.push(made("span", "", "and " + more + " more"));
  }
  return parts;
}

function edges(change) {
  const parts = [
    ...edgeList("−", "gone", change.removed, change.removedMore),
    ...edgeList("+", "came", change.added, change.addedMore)];
  if (parts.length === 0 && change.versionBefore > 0) {
    parts.push(made("span", "", "~ only weights have changed"));
  }
  // Spaces, for who copies it.
  return made("span", "edges", ...parts.flatMap(part => [part, " "]));
}

/**
 * The trees that the agent has committed or the page has seen, the latest first.
 *
 * chosen: the version that is drawn, or null for now; choose: what becomes of a click
 */
export function showHistory(list, history, chosen, choose) {
  const hasFocus = document.activeElement?.closest("#history") !== null && document.activeElement?.dataset.version;
  list.replaceChildren(...history.map((change, index) => {
    const time = made("time", "", clock(new Date(change.at)));
    time.dateTime = change.at;
    time.title = change.at;
    const [sum, unit] = change.weightMillis === undefined ? inAll(change.tree) : [millis(change.weightMillis), "ms"];
    const button = made("button", "", time, made("b", "", "version " + change.version),
      made("span", "sum", sum + " " + unit), edges(change));
    if (change.causes !== undefined) {
      button.append(made("span", "cause", causes(change.causes) + "; " + Math.floor(change.durationMillis) + " ms, "
        + count(change.messagesSent, "message") + " sent; root " + change.root));
    }
    button.type = "button";
    button.dataset.version = change.version;
    button.setAttribute("aria-pressed", String(chosen === change.version || chosen === null && index === 0));
    button.addEventListener("click", () => choose(change, index));
    return made("li", "", button);
  }));
  if (hasFocus) {
    list.querySelector(`[data-version="${CSS.escape(hasFocus)}"]`)?.focus();
  }
}

/** All groups, with the number of their members. chosen: the path of the one whose members are marked, or null */
export function showGroups(list, groups, chosen, choose) {
  const hasFocus = document.activeElement?.closest("#groups") !== null && document.activeElement?.dataset.path;
  list.replaceChildren(...groups.map(({ path, members }) => {
    const button = made("button", "", made("b", "", path), " ", made("span", "sum", count(members, "member")));
    button.type = "button";
    button.dataset.path = path;
    button.setAttribute("aria-pressed", String(path === chosen));
    button.addEventListener("click", () => choose(path === chosen ? null : path));
    return made("li", "", button);
  }));
  if (hasFocus) {
    list.querySelector(`[data-path="${CSS.escape(hasFocus)}"]`)?.focus();
  }
}

export function known(value, digits = 3) {
  return value === null || value === undefined ? "–" : value.toFixed(digits);
}

export function stateText(link) {
  return link.state + (link.unheardMillis === 0 ? "" : ", absent " + age(link.unheardMillis))
    + (link.downReason === "" ? "" : "; " + age(link.downMillis) + " ago: " + link.downReason);
}

/** The agent's links: those of the tree first, then the lightest. */
export function showLinks(table, links, choose) {
  const isShown = link => link.state !== "unlinked" || link.unheardMillis > 0;
  const rank = link => link.weightMillis ?? Infinity;
  const shown = links.filter(isShown).sort((one, other) =>
    other.treeEdge - one.treeEdge || (rank(one) < rank(other) ? -1 : rank(one) > rank(other) ? 1 : 0)
      || byId(one.peer, other.peer));
  const hasSites = shown.some(link => link.site !== null);
  const rows = shown.slice(0, MAX_LINKS).map(link => {
    const peer = made("button", "plain", link.peer);
    peer.type = "button";
    peer.addEventListener("click", () => choose(link.peer));
    return [peer, ...(hasSites ? [link.site ?? "–"] : []), link.treeEdge ? "✓" : "", known(link.weightMillis),
      known(link.measuredMillis), known(link.forecastMillis), known(link.errorMillis), known(link.jitterMillis),
      link.lossPercent === null ? "–" : link.lossPercent + " %", known(link.throughputForecastMbps, 1), link.address, stateText(link)];
  });
  if (shown.length > rows.length) {
    rows.push(["and " + count(shown.length - rows.length, "link") + " more"]);
  }
  fill(table,
    [["peer", ""], ...(hasSites ? [["site", ""]] : []), ["tree", ""], ["weight", "number"], ["measured", "number"],
      ["forecast", "number"], ["error", "number"], ["jitter", "number"], ["loss", "number"], ["Mbit/s", "number"], ["address", ""], ["state", ""]],
    rows);
}
