// Fills the tables of the page. What agents say becomes text of the document, and never markup.

import { byId } from "./tree-layout.js";
import { age, causes, clock, count, inAll, millis } from "./words.js";

/** More links than this are counted only. */
const MAX_LINKS = 200;

function cell(tag, content, className = "") {
  const made = document.createElement(tag);
  made.className = className;
  made.append(content);
  return made;
}

function fill(table, header, rows) {
  const top = document.createElement("tr");
  top.append(...header.map(([text, className]) => {
    const made = cell("th", text, className);
    made.scope = "col";
    return made;
  }));
  table.replaceChildren(top, ...rows.map((cells, index) => {
    const row = document.createElement("tr");
    row.append(...cells.map((content, column) => cell("td", content, header[column][1])));
    return row;
  }));
}

function edgeList(sign, className, edges, more) {
  const parts = edges.map(edge => cell("span", sign + edge.a + "-" + edge.b, className));
  if (more > 0) {
    parts.push(cell("span", "and " + more + " more"));
  }
  return parts;
}

function edges(change) {
  const list = document.createElement("span");
  list.className = "edges";
  const parts = [
    ...edgeList("-", "gone", change.removed, change.removedMore),
    ...edgeList("+", "came", change.added, change.addedMore)];
  // Spaces, for who copies it.
  list.append(...parts.flatMap(part => [part, " "]));
  if (parts.length === 0 && change.versionBefore > 0) {
    list.append("weights only");
  }
  return list;
}

function time(iso) {
  const made = document.createElement("time");
  made.dateTime = iso;
  made.title = iso;
  made.textContent = clock(new Date(iso));
  return made;
}

/** The trees that the agent has committed, the latest first. */
export function showHistory(table, history) {
  fill(table,
    [["time", ""], ["version", "number"], ["what changed", ""], ["causes", ""], ["duration", "number"],
      ["messages sent", "number"], ["root", ""], ["edges", "number"], ["ms in all", "number"]],
    history.map(change => [
      time(change.at), change.version, edges(change), causes(change.causes), Math.floor(change.durationMillis) + " ms",
      change.messagesSent, change.root, change.edges, millis(change.weightMillis)]));
}

/** The widest trees that this page has seen, the latest first. */
export function showSeen(table, seen) {
  fill(table,
    [["time", ""], ["version", "number"], ["what changed", ""], ["root", ""], ["edges", "number"], ["narrowest", "number"]],
    seen.map(change => [
      time(change.at), change.version, edges(change), change.root, change.edges.length,
      inAll(change.edges).replace(" at the narrowest", "")]));
}

function known(value, digits) {
  return value === null ? "-" : value.toFixed(digits);
}

function stateText(link) {
  return link.state + (link.unheardMillis === 0 ? "" : ", absent " + age(link.unheardMillis))
    + (link.downReason === "" ? "" : "; " + age(link.downMillis) + " ago: " + link.downReason);
}

/** The agent's links: those of the tree first, then the lightest. */
export function showLinks(table, links) {
  const isShown = link => link.state !== "unlinked" || link.unheardMillis > 0;
  const rank = link => link.weightMillis ?? Infinity;
  const shown = links.filter(isShown).sort((one, other) =>
    other.treeEdge - one.treeEdge || (rank(one) < rank(other) ? -1 : rank(one) > rank(other) ? 1 : 0)
      || byId(one.peer, other.peer));
  const hasSites = shown.some(link => link.site !== null);
  const rows = shown.slice(0, MAX_LINKS).map(link => [
    link.peer, ...(hasSites ? [link.site ?? "-"] : []), link.treeEdge ? "yes" : "-", known(link.weightMillis, 3), known(link.measuredMillis, 3),
    known(link.forecastMillis, 3), known(link.jitterMillis, 3), link.lossPercent === null ? "-" : link.lossPercent + " %",
    known(link.throughputForecastMbps, 1), link.address, stateText(link)]);
  if (shown.length > rows.length) {
    rows.push(["and " + count(shown.length - rows.length, "link") + " more"]);
  }
  fill(table,
    [["peer", ""], ...(hasSites ? [["site", ""]] : []), ["tree", ""], ["weight", "number"], ["measured", "number"], ["forecast", "number"],
      ["jitter", "number"], ["loss", "number"], ["throughput", "number"], ["address", ""], ["state", ""]],
    rows);
}
