// Explains a member, an edge or an absent member, as far as this agent has data about it.

import { askOnce } from "./agent-answers.js";
import { known, made, stateText } from "./tables.js";
import { age, count, millis, weight } from "./words.js";

/** Points of a link that the page keeps while it is open: some twenty minutes of an edge. */
const MAX_POINTS = 600;

/** How often the words are asked for while they are shown. */
const WORDS_MILLIS = 3000;

export class Details {
  #place;

  /** By peer: times in seconds, what was measured and what was forecast, as the page has seen it. */
  #seen = new Map();

  /** By peer: the same from the disk of the agent. */
  #kept = new Map();
  #links = new Map();
  #state = null;
  #words = { of: null, lines: [], at: 0 };
  #plot = null;

  constructor(place) {
    this.#place = place;
  }

  /** What the agent says of its links now. */
  note(links) {
    const now = Date.now() / 1000;
    this.#links = new Map(links.map(link => [link.peer, link]));
    for (const link of links) {
      if (link.measuredMillis !== null) {
        const points = this.#seen.get(link.peer) ?? [];
        const last = points.at(-1);
        if (last === undefined || last.measured !== link.measuredMillis || now - last.at >= 5) {
          points.push({ at: now, measured: link.measuredMillis, forecast: link.forecastMillis });
          points.splice(0, Math.max(0, points.length - MAX_POINTS));
          this.#seen.set(link.peer, points);
        }
      }
    }
    this.#seen.forEach((points, peer) => {
      if (!this.#links.has(peer)) {
        this.#seen.delete(peer);
      }
    });
  }

  link(peer) {
    return this.#links.get(peer);
  }

  /**
   * Shows a choice; null for none.
   *
   * state: choice, view, member (by id, in the drawing), site and labels (by id), isPast, and select, which chooses another
   * one
   */
  show(state) {
    this.#state = state;
    this.#plot?.destroy();
    this.#plot = null;
    const { choice } = state;
    if (choice === null) {
      this.#place.replaceChildren(made("p", "about", "Click a member, an edge, an absent member, or a row of the history."));
      return;
    }
    if (choice.edge !== undefined) {
      this.#showEdge(choice.edge);
    } else {
      this.#showMember(choice.member ?? choice.absent);
    }
    this.#askWords();
    this.#drawPlot();
  }

  /** The same choice, with what is known now. */
  refresh() {
    if (this.#state !== null && this.#state.choice !== null) {
      const top = this.#place.scrollTop;
      this.show(this.#state);
      this.#place.scrollTop = top;
    }
  }

  /** The other end of the link that is explained, if this agent is an end of it. */
  #peer() {
    const { choice, view } = this.#state ?? {};
    if (choice === null || choice === undefined) {
      return null;
    }
    if (choice.edge !== undefined) {
      const { a, b } = choice.edge;
      return a === view.node ? b : b === view.node ? a : null;
    }
    const id = choice.member ?? choice.absent;
    return id === view.node ? null : id;
  }

  #showEdge(edge) {
    const { view, isPast } = this.#state;
    const peer = this.#peer();
    const link = peer === null ? undefined : this.#links.get(peer);
    const parts = [heading(edge.a + " – " + edge.b, "edge of the tree"), ...this.#ends([edge.a, edge.b])];
    const rows = [["at the commit", weight(edge)]];
    if (link !== undefined && !isPast) {
      const now = view.metric === "latency" ? link.weightMillis : link.throughputForecastMbps;
      rows.push(["now", now === null ? "unknown" : view.metric === "latency" ? millis(now) + " ms" : now.toFixed(1) + " Mbit/s"]);
      const change = view.metric === "latency" && now !== null ? now - edge.weightMillis : 0;
      if (change !== 0) {
        rows.push(["difference", (change > 0 ? "+" : "−") + millis(Math.abs(change)) + " ms"]);
      }
    }
    parts.push(table("Weight", rows));
    if (peer === null) {
      parts.push(made("p", "unknown", "This agent is not an end of the edge, so it has only the weight at the commit. "
        + "Ask one of the ends for the present one: ", made("code", "", "treecast why " + edge.a + " " + edge.b), "."));
    } else {
      parts.push(...this.#linkParts(peer, link));
    }
    this.#place.replaceChildren(...parts);
  }

  #ends(ids) {
    return [made("p", "ends", ...ids.flatMap(id => [this.#memberButton(id), " "]))];
  }

  #memberButton(id) {
    const button = made("button", "plain chip", id);
    button.type = "button";
    button.addEventListener("click", () => this.#state.select({ member: id }));
    return button;
  }

  #showMember(id) {
    const { view, member: find, site: siteOf } = this.#state;
    const member = find(id);
    const link = this.#links.get(id);
    const site = view.sites[id] ?? siteOf(id);
    const marks = [id === view.node ? "this agent" : "", id === view.root ? "root of the tree" : "", member === undefined ? "not in this tree" : "",
      site === undefined ? "" : "site " + site].filter(mark => mark !== "");
    const parts = [heading(id, marks.join(" · ") || "member")];
    // The site is in the heading.
    const labels = Object.entries(this.#state.labels(id)).filter(([name]) => name !== "site");
    if (labels.length > 0) {
      parts.push(table("Labels", labels));
    }
    if (member === undefined) {
      parts.push(table("Absent", absence(link)));
    } else {
      parts.push(...this.#placeInTree(member));
    }
    if (id !== view.node) {
      parts.push(...this.#linkParts(id, link));
    }
    this.#place.replaceChildren(...parts);
  }

  #placeInTree(member) {
    const { view } = this.#state;
    const way = [];
    for (let at = member; at.parent !== null; at = at.parent) {
      way.push(at.edge);
    }
    const rows = [];
    if (way.length > 0) {
      rows.push(["edges from this agent", way.length]);
      if (view.metric === "latency") {
        rows.push(["round trip along them", millis(way.reduce((sum, edge) => sum + edge.weightMillis, 0)) + " ms"]);
      }
    }
    const around = [...(member.parent === null ? [] : [{ other: member.parent.id, edge: member.edge }]),
      ...member.children.map(child => ({ other: child.id, edge: child.edge }))];
    const list = made("ul", "around", ...around.map(({ other, edge }) => {
      const button = made("button", "plain", made("b", "", other), " ", made("span", "number", weight(edge)));
      button.type = "button";
      button.title = "Explain the edge " + edge.a + " – " + edge.b;
      button.addEventListener("click", () => this.#state.select({ edge }));
      return made("li", "", button);
    }));
    return [...(rows.length > 0 ? [table("In the tree", rows)] : []), made("h3", "", count(around.length, "edge")), list];
  }

  #linkParts(peer, link) {
    const { view } = this.#state;
    if (this.#state.isPast) {
      return [made("p", "unknown", "This tree is not the present one. Select the present tree to see measurements.")];
    }
    if (link === undefined || link.state === "unlinked") {
      return [made("p", "unknown", "This agent has no link to " + peer + ", so it has no measurements. In a large cluster an agent has "
        + "links to its nearest members and a few others.")];
    }
    const rows = [["state", stateText(link)], ["agreed weight", ms(link.weightMillis)]];
    if (link.measuredMillis !== null) {
      rows.push(["last measurement", ms(link.measuredMillis)], ["forecast", ms(link.forecastMillis)], ["mean forecast error", ms(link.errorMillis)],
        ["jitter", ms(link.jitterMillis)], ["loss", percent(link.lossPercent)], ["discarded", percent(link.discardedPercent)]);
    }
    if (link.throughputForecastMbps !== null) {
      rows.push(["throughput forecast", link.throughputForecastMbps.toFixed(1) + " Mbit/s"]);
    }
    rows.push(["address", link.address]);
    const parts = [table("Link " + view.node + " – " + peer, rows)];
    if (link.measuredMillis === null) {
      parts.push(made("p", "unknown", link.state === "up"
        ? peer + " measures this link, since it has the lower id, and only " + peer + " has forecast, error, jitter and loss: "
        : "The link is not measured. Ask the other end: ",
      made("code", "", "treecast links --agent " + link.address), "."));
    } else {
      const plot = made("div", "plot");
      plot.id = "plot";
      parts.push(made("h3", "", "Round trip"), plot);
    }
    const words = made("div", "why");
    words.id = "why";
    parts.push(made("h3", "", "Explanation"), words);
    this.#putWords(words, peer);
    return parts;
  }

  #putWords(place, peer) {
    place.replaceChildren(...(this.#words.of === this.#wordsOf(peer) ? this.#words.lines.map(line => made("p", "", line)) : [made("p", "about", "…")]));
  }

  /** Words are of a link in one of the trees. */
  #wordsOf(peer) {
    return this.#state.view.metric + " " + peer;
  }

  async #askWords() {
    const peer = this.#peer();
    if (peer === null || this.#state.isPast) {
      return;
    }
    const of = this.#wordsOf(peer);
    if (this.#words.of === of && Date.now() - this.#words.at < WORDS_MILLIS) {
      return;
    }
    if (this.#words.of !== of) {
      this.#words = { of, lines: [], at: Date.now() };
      this.#askSeries(peer);
    }
    this.#words.at = Date.now();
    let lines;
    try {
      const why = await askOnce("link.json?peer=" + encodeURIComponent(peer)
        + (this.#state.view.metric === "bandwidth" ? "&metric=bandwidth" : ""));
      const link = this.#links.get(peer);
      lines = why === null
        ? ["This agent has no link to " + peer + " now" + (link?.downReason ? ": " + link.downReason : "") + "."]
        : why.lines;
    } catch (failure) {
      lines = ["No answer: " + failure.message];
    }
    if (this.#words.of === of) {
      this.#words.lines = lines;
      const place = this.#place.querySelector("#why");
      if (place !== null && this.#peer() === peer) {
        this.#putWords(place, peer);
      }
    }
  }

  /** What the agent has on disk, from before the page was opened. */
  async #askSeries(peer) {
    try {
      const series = await askOnce("series.json?peer=" + encodeURIComponent(peer));
      this.#kept.clear();
      if (series !== null) {
        this.#kept.set(peer, series.points.map(point => ({ at: point.unixMillis / 1000, measured: point.rttMillis, forecast: null })));
        if (this.#peer() === peer) {
          this.#drawPlot();
        }
      }
    } catch {
      // Then the plot has what the page has seen.
    }
  }

  #drawPlot() {
    const place = this.#place.querySelector("#plot");
    const peer = this.#peer();
    if (place === null || peer === null) {
      return;
    }
    const seen = this.#seen.get(peer) ?? [];
    const from = seen[0]?.at ?? Infinity;
    const points = [...(this.#kept.get(peer) ?? []).filter(point => point.at < from), ...seen];
    if (points.length < 2) {
      place.replaceChildren(made("p", "about", "No points yet: the page collects measurements while it is open."));
      return;
    }
    const style = getComputedStyle(document.body);
    const colour = name => style.getPropertyValue(name).trim();
    const axis = { stroke: colour("--faint"), grid: { stroke: colour("--line"), width: 1 }, ticks: { show: false }, font: "11px system-ui" };
    place.replaceChildren();
    this.#plot?.destroy();
    this.#plot = new uPlot({
      width: Math.max(200, place.clientWidth), height: 150,
      legend: { show: false }, cursor: { drag: { x: false, y: false } },
      scales: { y: { range: (plot, least, most) => [Math.max(0, least - (most - least || least || 1) * 0.1), most + (most - least || most || 1) * 0.1] } },
      axes: [{ ...axis, values: (plot, ticks) => ticks.map(tick => new Date(tick * 1000).toTimeString().slice(0, 8)), space: 70 },
        { ...axis, size: 52, values: (plot, ticks) => ticks.map(tick => +tick.toFixed(3) + "") }],
      series: [{},
        { label: "measured", stroke: colour("--self"), width: 1.5, points: { show: points.length < 40, size: 4 } },
        { label: "forecast", stroke: colour("--reweighed"), width: 1.5, dash: [5, 4], points: { show: false }, spanGaps: true }]
    }, [points.map(point => point.at), points.map(point => point.measured), points.map(point => point.forecast)], place);
    place.append(made("p", "about", "— measured   - - forecast, in ms"
      + (this.#kept.has(peer) ? "" : "; since the page was opened")));
  }
}

function heading(text, about) {
  return made("hgroup", "", made("h2", "", text), made("p", "", about));
}

function table(title, rows) {
  return made("section", "", made("h3", "", title), made("dl", "facts",
    ...rows.flatMap(([name, value]) => [made("dt", "", name), made("dd", "", String(value))])));
}

function ms(value) {
  return value === null ? "–" : known(value) + " ms";
}

function percent(value) {
  return value === null ? "–" : value + " %";
}

/** Since when a member is absent, and why, as far as the agent knows. */
export function absence(link) {
  if (link === undefined) {
    return [["since", "unknown"], ["reason", "unknown"]];
  }
  const since = link.absentMillis > 0 ? link.absentMillis : link.downMillis;
  return [["since", since > 0 ? new Date(Date.now() - since).toLocaleTimeString() + ", " + age(since) + " ago" : "never in the tree so far"],
    ["why", link.downReason === "" ? "not known here; the link is " + link.state : link.downReason]];
}

/** The same in a few words. */
export function absenceInShort(link) {
  const since = link === undefined ? 0 : link.absentMillis > 0 ? link.absentMillis : link.downMillis;
  return (since > 0 ? "for " + age(since) : "never in the tree so far") + ": " + (link?.downReason || link?.state || "not known");
}
