// Draws a tree as SVG. What agents say becomes text of the document, and never markup.

import { difference, groups, key, layOut, leadingAway, route } from "./tree-layout.js";
import { short, weight } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";

/** Larger trees are said in words only. */
export const MAX_MEMBERS = 400;

/** For so long it is to be seen what has come and gone. */
export const FADE_MILLIS = 10000;

/** So many colours are there; more groups share them. */
const COLOURS = 8;

const ROW_HEIGHT = 30;
const NODE_HEIGHT = 22;
const CHARACTER_WIDTH = 7.3;
const SMALL_CHARACTER_WIDTH = 6.7;
const BEND = 26;
const MARGIN = 10;

/** Smaller than this, the picture scrolls instead. */
const LEAST_SCALE = 0.75;

function element(name, attributes = {}, text = undefined) {
  const made = document.createElementNS(SVG, name);
  Object.entries(attributes).forEach(([attribute, value]) => made.setAttribute(attribute, value));
  if (text !== undefined) {
    made.textContent = text;
  }
  return made;
}

/** How an edge is drawn: short ones thick, long ones thin; what is not measured dashed. */
export function reach(edge, siteMillis) {
  if (edge.weightMillis !== undefined) {
    return edge.weightMillis <= siteMillis ? "short" : edge.weightMillis <= 50 ? "middle" : "long";
  }
  if (edge.throughputMbps === null) {
    return "unknown";
  }
  return edge.atLeast ? "short" : edge.throughputMbps >= 100 ? "middle" : "long";
}

/** A colour for each group that is to be seen: it keeps it as long as it is, and others get one that fewest have. */
class Colours {
  #numbers = new Map();

  choose(groups) {
    const kept = new Map([...this.#numbers].filter(([group]) => groups.has(group)));
    const used = new Array(COLOURS).fill(0);
    kept.forEach(colour => used[colour]++);
    for (const group of groups) {
      if (!kept.has(group)) {
        const colour = used.indexOf(Math.min(...used));
        used[colour]++;
        kept.set(group, colour);
      }
    }
    this.#numbers = kept;
  }

  of(group) {
    return this.#numbers.get(group);
  }
}

/** The picture in an element of the page, and what has lately changed in it. */
export class TreePicture {
  #place;
  #legend;
  #colours = new Colours();

  /** By the key of an edge: whether it came, went or weighs differently, the edge, and when that was seen. */
  #news = new Map();
  #timer = undefined;

  constructor(place, legend) {
    this.#place = place;
    this.#legend = legend;
  }

  /**
   * Draws a tree, as the agent that is at its start sees it.
   *
   * before: its edges before it changed, to show what is new; null if nothing is
   */
  show(view, before) {
    if (before !== null) {
      this.#note(difference(before, view.edges));
    }
    this.#draw(view);
  }

  /** Draws another tree, in which nothing is new. */
  turnTo(view) {
    this.#news.clear();
    this.#draw(view);
  }

  /** Shows no tree, but what is to say instead. */
  clear(text) {
    clearTimeout(this.#timer);
    this.#news.clear();
    const said = document.createElement("p");
    said.className = "instead";
    said.textContent = text;
    this.#place.replaceChildren(said);
    this.#legend.replaceChildren();
  }

  #note(change) {
    const at = Date.now();
    change.reweighed.filter(edge => this.#news.get(key(edge))?.kind !== "came")
      .forEach(edge => this.#news.set(key(edge), { kind: "reweighed", edge, at }));
    change.added.forEach(edge => this.#news.set(key(edge), { kind: "came", edge, at }));
    change.removed.forEach(edge => this.#news.set(key(edge), { kind: "gone", edge, at }));
  }

  /** Forgets what has faded, and draws again when the next has. */
  #fade(view) {
    clearTimeout(this.#timer);
    const now = Date.now();
    this.#news.forEach(({ at }, name) => {
      if (now - at >= FADE_MILLIS) {
        this.#news.delete(name);
      }
    });
    if (this.#news.size > 0) {
      const oldest = Math.min(...[...this.#news.values()].map(({ at }) => at));
      this.#timer = setTimeout(() => this.#draw(view), oldest + FADE_MILLIS - now);
    }
  }

  #draw(view) {
    this.#fade(view);
    if (view.edges.length >= MAX_MEMBERS) {
      this.clear("The tree has " + (view.edges.length + 1) + " members, too many to draw; 'treecast tree show' lists them.");
      return;
    }
    const removed = [...this.#news.values()].filter(({ kind }) => kind === "gone").map(({ edge }) => edge);
    const away = leadingAway(view.edges, view.node, removed).slice(0, MAX_MEMBERS);
    const group = groups(view.latencyEdges, view.node, view.sites, view.siteMillis);
    this.#colours.choose(new Set(group.values()));
    const drawn = [...view.edges, ...away];
    const label = id => short(id) + mark(id, view);
    const longest = Math.max(0, ...drawn.map(edge => weight(edge).length));
    const layout = layOut(drawn, view.node, {
      widthOf: id => label(id).length * CHARACTER_WIDTH + 16,
      rowHeight: ROW_HEIGHT,
      gap: BEND + 10 + longest * SMALL_CHARACTER_WIDTH
    });
    const svg = element("svg", { role: "img", "aria-label": "Tree of " + (view.edges.length + 1) + " members" });
    fit(svg, layout);
    const isAway = new Set(away);
    for (const edge of removed.filter(edge => !isAway.has(edge))) {
      const ends = [layout.nodes.get(edge.a), layout.nodes.get(edge.b)];
      if (ends[0] !== undefined && ends[1] !== undefined) {
        svg.append(this.#fading(across(...ends, edge), edge));
      }
    }
    for (const node of layout.nodes.values()) {
      if (node.parent !== null) {
        svg.append(this.#fading(branch(layout.nodes.get(node.parent), node, view.siteMillis), node.edge));
      }
    }
    for (const node of layout.nodes.values()) {
      const made = box(node, label(node.id), view, group.get(node.id));
      if (isAway.has(node.edge)) {
        this.#fading(made, node.edge);
      } else if (group.has(node.id)) {
        made.classList.add("colour" + this.#colours.of(group.get(node.id)));
      }
      svg.append(made);
    }
    const isFirst = this.#place.querySelector("svg") === null;
    this.#place.replaceChildren(svg);
    if (isFirst) {
      const scale = svg.getBoundingClientRect().width / (layout.width + 2 * MARGIN);
      this.#place.scrollTop = (layout.nodes.get(view.node).y + MARGIN) * scale - this.#place.clientHeight / 2;
    }
    this.#explain(view, group);
  }

  /** Marks a shape if the edge is news. A picture that is drawn again meanwhile goes on fading where it was. */
  #fading(shape, edge) {
    const news = this.#news.get(key(edge));
    if (news !== undefined) {
      shape.classList.add(news.kind);
      shape.style.setProperty("--age", news.at - Date.now() + "ms");
    }
    return shape;
  }

  #explain(view, group) {
    const isBandwidth = view.metric === "bandwidth";
    const lines = isBandwidth
      ? [["short", "1000 Mbit/s and more"], ["middle", "100 Mbit/s and more"], ["long", "less"],
        ["unknown", "not measured"]]
      : [["short", "up to " + view.siteMillis + " ms"], ["middle", "up to 50 ms"], ["long", "longer"]];
    const shown = lines.map(([kind, text]) => legendLine("edge " + kind, text));
    shown.push(
      legendLine("edge middle still came", "came just now"),
      legendLine("edge middle still gone", "went just now"),
      legendLine("edge middle still reweighed", "weighs differently"));
    const names = [...new Set(group.values())];
    const isNamed = Object.keys(view.sites).length > 0;
    const about = document.createElement("span");
    if (isNamed) {
      about.textContent = "Colours are sites:";
      shown.push(about, ...names.slice(0, 40).map(name => legendBox(this.#colours.of(name), name)));
    } else if (names.length > 1) {
      about.textContent = "No sites are configured; members joined by edges of up to " + view.siteMillis
        + " ms have one colour" + (names.length > COLOURS ? ", of " + COLOURS + " that are used again" : "") + ".";
      shown.push(about);
    }
    this.#legend.replaceChildren(...shown);
  }
}

function mark(id, view) {
  const marks = [];
  if (id === view.node) {
    marks.push("this agent");
  }
  if (id === view.root) {
    marks.push("root");
  }
  return marks.length === 0 ? "" : " (" + marks.join(", ") + ")";
}

function fit(svg, layout) {
  const width = layout.width + 2 * MARGIN;
  const height = layout.height + 2 * MARGIN;
  svg.setAttribute("viewBox", [-MARGIN, -MARGIN, width, height].join(" "));
  svg.setAttribute("width", width);
  svg.style.minWidth = width * LEAST_SCALE + "px";
}

function branch(parent, node, siteMillis) {
  const made = element("g", { class: "branch" });
  const [start, turn, turned, end] = route(parent, node, BEND);
  made.append(
    element("path", {
      class: "edge " + reach(node.edge, siteMillis),
      d: `M${start.x},${start.y} H${turn.x} C${turned.x},${turn.y} ${turn.x},${turned.y} ${turned.x},${turned.y} H${end.x}`
    }),
    element("text", { class: "weight", x: node.x - 5, y: node.y - 5, "text-anchor": "end" }, weight(node.edge)));
  return made;
}

/** An edge that went, between two that are members still. */
function across(one, other, edge) {
  const from = one.x + one.width;
  const to = other.x + other.width;
  const out = Math.max(from, to) + BEND;
  const over = one.y - NODE_HEIGHT / 2;
  const made = element("path", {
    class: "edge middle across",
    d: Math.abs(one.y - other.y) < NODE_HEIGHT
      ? `M${one.x + one.width / 2},${over} Q${(from + to) / 2},${over - NODE_HEIGHT} ${other.x + other.width / 2},${over}`
      : `M${from},${one.y} C${out},${one.y} ${out},${other.y} ${to},${other.y}`
  });
  made.append(element("title", {}, edge.a + " - " + edge.b + "  " + weight(edge)));
  return made;
}

function box(node, text, view, group) {
  const classes = ["node", node.id === view.node ? "self" : "", node.id === view.root ? "root" : ""];
  const made = element("g", { class: classes.filter(name => name !== "").join(" ") });
  const isSite = Object.keys(view.sites).length > 0 && group !== undefined;
  made.append(
    element("rect", { x: node.x, y: node.y - NODE_HEIGHT / 2, width: node.width, height: NODE_HEIGHT, rx: 6 }),
    element("text", { x: node.x + node.width / 2, y: node.y + 4, "text-anchor": "middle" }, text),
    element("title", {}, node.id + (isSite ? ", site " + group : "")));
  return made;
}

function legendItem(shape, text) {
  const item = document.createElement("span");
  const svg = element("svg", { width: 28, height: 14, "aria-hidden": "true" });
  svg.append(shape);
  item.append(svg, document.createTextNode(" " + text));
  return item;
}

function legendLine(classes, text) {
  return legendItem(element("path", { class: classes, d: "M1,7 H27" }), text);
}

function legendBox(colour, text) {
  const node = element("g", { class: "node colour" + colour });
  node.append(element("rect", { x: 6, y: 1, width: 18, height: 12, rx: 4 }));
  return legendItem(node, text);
}
