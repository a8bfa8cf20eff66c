// Draws a tree as SVG. What agents say becomes text of the document, and never markup.

import { difference, groups, key, layOut, MANY_MEMBERS } from "./tree-layout.js";
import { bareWeight, begin, count, short, weight } from "./words.js";
import { Viewport } from "./viewport.js";

const SVG = "http://www.w3.org/2000/svg";

/** Larger trees are said in words only. */
export const MAX_MEMBERS = 2000;

/** Beyond, each site is drawn as one box until somebody opens it. */
const MOST_OPEN = 500;

/** How long added and removed edges stay visible. */
export const FADE_MILLIS = 10000;

/** So many colours are there; more sites share them. */
const COLOURS = 8;
const MAX_ABSENT = 60;
const MAX_PULSES = 300;
const CHARACTER_WIDTH = 7.25;
const SMALL_CHARACTER_WIDTH = 6.1;
const TINY_CHARACTER_WIDTH = 5.8;
const TITLE_CHARACTER_WIDTH = 8.2;

export function element(name, attributes = {}, text = undefined) {
  const made = document.createElementNS(SVG, name);
  Object.entries(attributes).forEach(([attribute, value]) => made.setAttribute(attribute, value));
  if (text !== undefined) {
    made.textContent = text;
  }
  return made;
}

/** How an edge is drawn: short ones thick, long ones thin; what is not measured dotted. */
export function reach(edge, siteMillis) {
  if (edge.weightMillis !== undefined) {
    return edge.weightMillis <= siteMillis ? "short" : edge.weightMillis <= 50 ? "middle" : "long";
  }
  if (edge.throughputMbps === null) {
    return "unknown";
  }
  return edge.atLeast ? "short" : edge.throughputMbps >= 100 ? "middle" : "long";
}

/** A colour for each site, by its name: so it is the same in each browser, unless another has it. */
class Colours {
  #numbers = new Map();

  choose(sites) {
    const kept = new Map([...this.#numbers].filter(([site]) => sites.has(site)));
    const used = new Array(COLOURS).fill(0);
    kept.forEach(colour => used[colour]++);
    for (const site of [...sites].sort()) {
      if (!kept.has(site)) {
        let colour = [...site].reduce((sum, character) => (sum * 31 + character.codePointAt(0)) % 65521, 7) % COLOURS;
        for (let tried = 0; tried < COLOURS && used[colour] > Math.min(...used); tried++) {
          colour = (colour + 1) % COLOURS;
        }
        used[colour]++;
        kept.set(site, colour);
      }
    }
    this.#numbers = kept;
  }

  of(site) {
    return this.#numbers.get(site);
  }
}

function pathOf({ points, isBetween, isBent }) {
  if (isBetween && !isBent) {
    const [start, turn, turned, end] = points;
    const half = (turn.x + turned.x) / 2;
    return `M${start.x},${start.y} H${turn.x} C${half},${turn.y} ${half},${turned.y} ${turned.x},${turned.y} H${end.x}`;
  }
  return points.map((point, index) => (index === 0 ? "M" : "L") + point.x + "," + point.y).join(" ");
}

/** The picture in an element of the page, and what has lately changed in it. */
export class TreePicture {
  #svg;
  #instead;
  #layers = {};
  #colours = new Colours();
  #folded = new Set();
  #knownSites = new Set();
  #groups = new Map();
  #view = null;
  #layout = null;
  #shapes = new Map();
  #found = new Set();

  /** By the key of an edge: whether it was added or removed, or its weight changed, the edge, and when that was seen. */
  #news = new Map();
  #timer = undefined;
  #selected = null;

  /** What the page does with a choice: {member}, {edge}, {absent}, or null. */
  onChoice = () => {};

  constructor(place, instead) {
    this.#instead = instead;
    this.#svg = element("svg", { role: "group", "aria-label": "The tree" });
    const world = element("g");
    for (const name of ["regions", "edges", "ghosts", "members", "labels", "pulses", "names"]) {
      this.#layers[name] = element("g", { class: name });
      world.append(this.#layers[name]);
    }
    this.#svg.append(world);
    place.append(this.#svg);
    this.viewport = new Viewport(this.#svg, world);
    this.viewport.onResize = () => {
      if (this.#view !== null && this.viewport.isFitted) {
        this.#draw();
      }
    };
    this.#svg.addEventListener("click", event => this.#clicked(event));
    this.#svg.addEventListener("keydown", event => this.#key(event));
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
    this.#view = view;
    this.#draw();
  }

  /** Draws another tree, in which nothing is new but what is given. */
  turnTo(view, change = null) {
    this.#news.clear();
    if (change !== null) {
      this.#note({ removed: change.removed, added: change.added, reweighed: [] }, Infinity);
    }
    this.#view = view;
    this.#draw();
  }

  /** Shows no tree, but what is to say instead. */
  clear(title, text, kind) {
    clearTimeout(this.#timer);
    this.#news.clear();
    this.#view = null;
    this.#layout = null;
    this.#shapes.clear();
    Object.values(this.#layers).forEach(layer => layer.replaceChildren());
    this.#say(title, text, kind);
  }

  #say(title, text, kind) {
    this.#instead.hidden = false;
    this.#instead.className = kind;
    const [strong, words] = [document.createElement("strong"), document.createElement("p")];
    strong.textContent = title;
    words.textContent = text;
    this.#instead.replaceChildren(strong, words);
  }

  /** Marks a member or an edge as the one that is explained; null for none. */
  select(choice) {
    this.#selected = choice;
    this.#markSelected();
  }

  /** Marks members whose id or site has the text in it; returns them, in the order of the picture. */
  find(text) {
    const wanted = text.trim().toLowerCase();
    return this.mark(wanted === "" ? null : id => id.toLowerCase().includes(wanted)
      || (this.#groups.get(id) ?? "").toLowerCase().includes(wanted) && this.#isNamed());
  }

  /** Marks the wanted members, by id, and no others; null for no marks. Returns them as `find` does. */
  mark(isWanted) {
    const boxes = this.#layout === null ? [] : [...this.#layout.members.values(), ...this.#layout.absent.boxes];
    const found = isWanted === null ? [] : boxes.map(box => box.id).filter(isWanted);
    this.#found = new Set(found);
    this.#svg.classList.toggle("searching", isWanted !== null);
    this.#markFound();
    return found;
  }

  /** Brings a member into the middle; opens its site if that is folded. */
  lookAt(id) {
    const member = this.#layout?.members.get(id);
    if (member?.isHidden) {
      this.#folded.delete(member.region.site);
      this.#draw();
    }
    const box = this.#box(id);
    if (box !== undefined) {
      this.viewport.lookAt(box.x + box.width / 2, box.y + box.height / 2);
      this.#shapes.get(id)?.focus({ preventScroll: true });
    }
  }

  /** The member in the drawing, with its parent, children and edge; undefined if it is not there. */
  member(id) {
    return this.#layout?.members.get(id);
  }

  site(id) {
    return this.#isNamed() ? this.#groups.get(id) : undefined;
  }

  /** Draws each site as one box, or all open if they are so. */
  foldAll() {
    const sites = new Set(this.#layout?.regions.map(region => region.site).filter(site => site !== null));
    this.#folded = this.#folded.size > 0 ? new Set() : sites;
    this.viewport.isFitted = true;
    this.#draw();
    return this.#folded.size > 0;
  }

  #fold(site) {
    if (!this.#folded.delete(site)) {
      this.#folded.add(site);
    }
    this.#draw();
    this.#focusName(site);
  }

  #isNamed() {
    return this.#view !== null && Object.keys(this.#view.sites).length > 0;
  }

  #box(id) {
    return this.#layout?.members.get(id) ?? this.#layout?.absent.boxes.find(box => box.id === id);
  }

  #note(change, until = Date.now() + FADE_MILLIS) {
    change.reweighed.filter(edge => this.#news.get(key(edge))?.kind !== "added")
      .forEach(edge => this.#news.set(key(edge), { kind: "reweighed", edge, until }));
    change.added.forEach(edge => this.#news.set(key(edge), { kind: "added", edge, until }));
    change.removed.forEach(edge => this.#news.set(key(edge), { kind: "removed", edge, until }));
  }

  /** Forgets what has faded, and draws again when the next has. */
  #fade() {
    clearTimeout(this.#timer);
    const now = Date.now();
    this.#news.forEach(({ until }, name) => {
      if (now >= until) {
        this.#news.delete(name);
      }
    });
    const next = Math.min(...[...this.#news.values()].map(({ until }) => until));
    if (Number.isFinite(next)) {
      this.#timer = setTimeout(() => this.#draw(), next - now);
    }
  }

  #titleOf(region) {
    const name = region.site === null ? "no site"
      : this.#isNamed() ? (/^[0-9]+$/.test(region.site) ? "site " : "") + short(region.site, 32) : "near " + short(region.site, 16);
    return name + (region.parts > 1 && region.site !== null ? ", part " + region.part : "");
  }

  #draw() {
    const view = this.#view;
    if (view === null) {
      return;
    }
    this.#fade();
    const members = view.edges.length + 1;
    if (members > MAX_MEMBERS) {
      this.clear(count(members, "member"), "Too many members to draw. 'treecast tree show' lists them.", "calm");
      this.#view = view;
      return;
    }
    this.#groups = groups(view.latencyEdges, view.node, view.sites, view.siteMillis);
    const sites = new Set(this.#groups.values());
    this.#colours.choose(sites);
    if (members > MOST_OPEN && sites.size > 1) {
      [...sites].filter(site => !this.#knownSites.has(site)).forEach(site => this.#folded.add(site));
    }
    sites.forEach(site => this.#knownSites.add(site));
    this.#instead.hidden = true;
    if (members === 1 && view.absent.length === 0) {
      this.#say("This agent is alone", "Its tree has one member. Start another agent with the address of this one as a seed; it "
        + "joins within seconds.", "note");
    }
    const weights = new Map(view.edges.flatMap(edge => [[edge.a, edge], [edge.b, edge]]));
    const weightWidth = members > MANY_MEMBERS ? 0
      : (2 + Math.max(0, ...[...weights.values()].map(edge => bareWeight(edge).length))) * SMALL_CHARACTER_WIDTH;
    this.#layout = layOut({
      edges: view.edges, start: view.node, groups: this.#groups, folded: this.#folded,
      absent: view.absent.slice(0, MAX_ABSENT).map(absent => absent.id)
    }, {
      ...this.viewport.room(),
      isNamed: site => this.#isNamed() && site !== null,
      widthOf: id => Math.ceil(short(id).length * CHARACTER_WIDTH + (weightWidth === 0 ? 12 : 20) + (weightWidth === 0 ? 0 : marks(id, view).length * 44)
        + weightWidth),
      titleWidthOf: region => this.#titleOf(region).length * TITLE_CHARACTER_WIDTH + 54
    });
    this.#drawRegions();
    this.#drawFarNames();
    this.#drawEdges();
    this.#drawMembers();
    this.#drawAbsent();
    this.#drawGhosts();
    this.viewport.setContent(this.#layout.width, this.#layout.height);
    this.#markSelected();
    this.#markFound();
  }

  #drawRegions() {
    const view = this.#view;
    const focused = this.#layers.regions.contains(document.activeElement) ? document.activeElement.dataset.fold : undefined;
    this.#layers.regions.replaceChildren(...this.#layout.regions.filter(region => !region.isBare).map(region => {
      const made = element("g", {
        class: "region " + this.#colour(region.site) + (region.isFolded ? " folded" : ""), transform: `translate(${region.x},${region.y})`,
        "data-site": region.site ?? ""
      });
      made.append(element("rect", { class: "ground", width: region.width, height: region.height, rx: 12 }));
      const number = region.members.length;
      const title = element("g", {
        class: "title", tabindex: region.site === null ? -1 : 0, role: "button", "aria-expanded": String(!region.isFolded), "data-fold": region.site ?? "",
        "aria-label": this.#titleOf(region) + ", " + count(number, "member") + ", " + (region.isFolded ? "folded" : "open")
      });
      const middle = region.isFolded ? region.height / 2 : 16;
      title.append(
        element("rect", { class: "hit", width: region.width, height: region.isFolded ? region.height : this.#layout.size.title, rx: 12 }),
        element("path", { class: "fold", d: region.isFolded ? `M12,${middle - 4} l5,4 l-5,4` : `M11,${middle - 2} l4,5 l4,-5` }),
        element("text", { class: "name", x: 24, y: middle + 4.5 }, this.#titleOf(region)),
        element("text", { class: "number", x: region.width - 12, y: middle + 4.5, "text-anchor": "end" }, String(number)));
      if (region.site !== null) {
        title.append(element("title", {}, (region.isFolded ? "Show the members of " : "Draw as one box: ") + this.#titleOf(region)));
      }
      made.append(title);
      if (region.isFolded && region.members.some(member => member.id === view.node)) {
        made.classList.add("has-self");
      }
      return made;
    }));
    this.#focusName(focused);
  }

  /** Names of sites are drawn new, and the keyboard is to stay where it is. */
  #focusName(site) {
    if (site !== undefined) {
      this.#layers.regions.querySelector(`[data-fold="${CSS.escape(site)}"]`)?.focus({ preventScroll: true });
    }
  }

  /** Instead of those of regions where these are too small to be read. */
  #drawFarNames() {
    this.#layers.names.replaceChildren(...this.#layout.regions.filter(region => !region.isBare).map(region => element("text", {
      class: "far-name", x: region.x + region.width / 2, y: region.y + region.height / 2, "text-anchor": "middle",
      "dominant-baseline": "middle"
    }, this.#titleOf(region) + " · " + region.members.length)));
  }

  #colour(site) {
    return site === null || site === undefined ? "colourless" : "colour" + this.#colours.of(site);
  }

  #drawEdges() {
    const labels = [];
    this.#layers.edges.replaceChildren(...this.#layout.edges.map(route => {
      const news = this.#news.get(key(route.edge));
      const made = element("g", {
        class: "edge " + reach(route.edge, this.#view.siteMillis) + (news === undefined ? "" : " " + news.kind + fresh(news)),
        "data-a": route.edge.a, "data-b": route.edge.b
      });
      const d = pathOf(route);
      made.append(element("path", { class: "hit", d }), element("path", { class: "line", d }),
        element("title", {}, route.edge.a + " – " + route.edge.b + ", " + weight(route.edge)));
      if (route.isBetween) {
        const text = sign(news) + weight(route.edge);
        labels.push(element("text", {
          class: "weight" + (news === undefined ? "" : " " + news.kind), x: route.label.x, y: route.label.y, "text-anchor": "end"
        }, text));
      }
      return made;
    }));
    this.#layers.labels.replaceChildren(...labels);
  }

  #drawMembers() {
    const view = this.#view;
    const before = new Map([...this.#shapes].filter(([, shape]) => shape.dataset.id !== undefined));
    this.#shapes = new Map();
    for (const member of this.#layout.members.values()) {
      if (member.isHidden) {
        continue;
      }
      const made = before.get(member.id) ?? element("g", { tabindex: member.id === view.node ? 0 : -1, role: "button" });
      made.setAttribute("class", ["member", this.#colour(member.region.site), ...marks(member.id, view)].join(" "));
      made.setAttribute("data-id", member.id);
      const isInner = member.parent !== null && member.parent.region === member.region;
      const news = member.edge === null ? undefined : this.#news.get(key(member.edge));
      const left = this.#layout.members.size > MANY_MEMBERS ? 5 : 9;
      const parts = [
        element("rect", { width: member.width, height: member.height, rx: this.#layout.members.size > MANY_MEMBERS ? 4 : 6 }),
        element("text", { class: "id", x: left, y: member.height / 2 + 4 }, short(member.id))];
      let x = left + short(member.id).length * CHARACTER_WIDTH + 8;
      for (const mark of this.#layout.members.size > MANY_MEMBERS ? [] : marks(member.id, view)) {
        parts.push(element("text", { class: "mark", x, y: member.height / 2 + 4 }, mark === "self" ? "this" : mark));
        x += 40;
      }
      if (isInner && (this.#layout.members.size <= MANY_MEMBERS || news !== undefined)) {
        parts.push(element("text", {
          class: "up" + (news === undefined ? "" : " " + news.kind), x: member.width - 8, y: member.height / 2 + 3.5, "text-anchor": "end"
        }, sign(news) + bareWeight(member.edge)));
      }
      made.replaceChildren(...parts);
      made.setAttribute("aria-label", spoken(member, view, this.site(member.id)));
      move(made, member, before.has(member.id));
      this.#shapes.set(member.id, made);
    }
    // Keeps the focus where it is: what is there already is not moved in the document.
    before.forEach((shape, id) => {
      if (!this.#shapes.has(id)) {
        shape.remove();
      }
    });
    this.#shapes.forEach(shape => {
      if (shape.parentNode !== this.#layers.members) {
        this.#layers.members.append(shape);
      }
    });
  }

  #drawAbsent() {
    this.#layers.regions.querySelectorAll(".absent").forEach(shape => shape.remove());
    const { boxes, top, bottom, width } = this.#layout.absent;
    if (boxes.length === 0) {
      return;
    }
    const all = this.#view.absent;
    const made = element("g", { class: "region absent", transform: `translate(0,${top})` });
    made.append(
      element("rect", { class: "ground", width, height: bottom - top, rx: 12 }),
      element("text", { class: "name", x: 14, y: 20 }, "Not in this tree"
        + (all.length > boxes.length ? ": " + boxes.length + " of " + all.length : "")));
    this.#layers.regions.append(made);
    boxes.forEach((box, index) => {
      const { id, words } = all[index];
      const shape = element("g", {
        class: "member away", tabindex: -1, role: "button", "data-absent": id, "aria-label": id + ", not in this tree: " + words
      });
      shape.append(
        element("rect", { width: box.width, height: box.height, rx: 6 }),
        element("text", { class: "id", x: 10, y: 18 }, short(id)),
        element("text", { class: "why", x: 10, y: 35 }, begin(words, Math.floor((box.width - 20) / TINY_CHARACTER_WIDTH))),
        element("title", {}, id + ": " + words));
      move(shape, box, false);
      made.after(shape);
      this.#shapes.set(id, shape);
      this.#layers.regions.append(shape);
      shape.classList.add("absent");
    });
  }

  /** Removed edges between members that are still in the tree. */
  #drawGhosts() {
    const removed = [...this.#news.values()].filter(({ kind }) => kind === "removed");
    this.#layers.ghosts.replaceChildren(...removed.flatMap(({ edge, until }) => {
      const ends = [edge.a, edge.b].map(id => this.#box(id));
      if (ends.some(end => end === undefined) || ends.some(end => end.isHidden)) {
        return [];
      }
      const [from, to] = ends.map(end => ({ x: end.x + end.width / 2, y: end.y + end.height / 2 }));
      const bow = { x: (from.x + to.x) / 2 + (to.y - from.y) * 0.12, y: (from.y + to.y) / 2 - (to.x - from.x) * 0.12 };
      const made = element("g", { class: "ghost removed" });
      if (Number.isFinite(until)) {
        // One that is drawn again goes on fading where it was.
        made.style.animationDelay = until - FADE_MILLIS - Date.now() + "ms";
      }
      made.append(
        element("path", { d: `M${from.x},${from.y} Q${bow.x},${bow.y} ${to.x},${to.y}` }),
        element("text", { x: (from.x + 2 * bow.x + to.x) / 4, y: (from.y + 2 * bow.y + to.y) / 4 - 4, "text-anchor": "middle" },
          "− " + edge.a + "–" + edge.b + "  " + weight(edge)));
      return [made];
    }));
  }

  #markSelected() {
    const chosen = this.#selected;
    this.#shapes.forEach((shape, id) => shape.classList.toggle("selected", chosen?.member === id || chosen?.absent === id));
    this.#layers.edges.querySelectorAll(".edge").forEach(shape => shape.classList.toggle("selected",
      chosen?.edge !== undefined && shape.dataset.a === chosen.edge.a && shape.dataset.b === chosen.edge.b));
  }

  #markFound() {
    this.#shapes.forEach((shape, id) => shape.classList.toggle("found", this.#found.has(id)));
    const foldedFound = new Set([...this.#found].map(id => this.#layout?.members.get(id)).filter(member => member?.isHidden)
      .map(member => member.region.site));
    this.#layers.regions.querySelectorAll(".region.folded").forEach(shape =>
      shape.classList.toggle("found", foldedFound.has(shape.dataset.site)));
  }

  #clicked(event) {
    const fold = event.target.closest("[data-fold]");
    const member = event.target.closest("[data-id]");
    const absent = event.target.closest("[data-absent]");
    const edge = event.target.closest(".edge");
    if (fold !== null) {
      if (fold.dataset.fold !== "") {
        this.#fold(fold.dataset.fold);
      }
    } else if (member !== null) {
      this.onChoice({ member: member.dataset.id });
    } else if (absent !== null) {
      this.onChoice({ absent: absent.dataset.absent });
    } else if (edge !== null) {
      this.onChoice({ edge: this.#layout.edges.map(route => route.edge)
        .find(({ a, b }) => a === edge.dataset.a && b === edge.dataset.b) });
    } else {
      this.onChoice(null);
    }
  }

  /** Arrows go along the tree, and from row to row. */
  #key(event) {
    const id = event.target.dataset?.id;
    if ((event.key === "Enter" || event.key === " ") && event.target.closest("[role=button]") !== null) {
      event.preventDefault();
      event.target.dispatchEvent(new MouseEvent("click", { bubbles: true }));
      return;
    }
    const member = id === undefined ? undefined : this.#layout?.members.get(id);
    if (member === undefined || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    const shown = [...this.#layout.members.values()].filter(other => !other.isHidden);
    const sideways = step => shown.filter(other => Math.sign(other.y - member.y) === step
      && Math.abs(other.x - member.x) < 260)
      .sort((one, other) => Math.abs(one.y - member.y) + Math.abs(one.x - member.x) / 4
        - Math.abs(other.y - member.y) - Math.abs(other.x - member.x) / 4)[0];
    const next = {
      ArrowLeft: () => member.parent, ArrowRight: () => member.children[0],
      ArrowUp: () => sideways(-1), ArrowDown: () => sideways(1)
    }[event.key]?.();
    if (next !== undefined && next !== null && this.#shapes.has(next.id)) {
      event.preventDefault();
      this.#shapes.forEach(shape => shape.setAttribute("tabindex", -1));
      this.#shapes.get(next.id).setAttribute("tabindex", 0);
      this.#shapes.get(next.id).focus({ preventScroll: true });
      this.viewport.reveal(next);
    }
  }

  /**
   * Lets dots run from the agent: along the whole tree for messages that were published at it, else along its own edges.
   */
  pulse(isAlongTree) {
    if (this.#layout === null || matchMedia("(prefers-reduced-motion: reduce)").matches) {
      return;
    }
    const starts = new Map([[this.#view.node, 0]]);
    for (const route of this.#layout.edges) {
      const start = starts.get(route.parent.id) ?? (route.parent.isHidden ? 0 : undefined);
      if (start === undefined || this.#layers.pulses.childElementCount > MAX_PULSES
        || !isAlongTree && route.parent.id !== this.#view.node) {
        continue;
      }
      // Slow enough to be seen; long edges take longer, as they do.
      const seconds = 0.25 + Math.min(1.2, (route.edge.weightMillis ?? 20) / 400);
      starts.set(route.member.id, start + seconds);
      const dot = element("circle", { r: 4.5, class: "pulse", visibility: "hidden" });
      const motion = element("animateMotion", {
        dur: seconds + "s", begin: "indefinite", fill: "remove", path: pathOf(route)
      });
      dot.append(motion);
      this.#layers.pulses.append(dot);
      setTimeout(() => {
        dot.setAttribute("visibility", "visible");
        motion.beginElement();
      }, start * 1000);
      setTimeout(() => dot.remove(), (start + seconds) * 1000);
    }
  }

  /** What the drawing means, in an element of the page. */
  explain(place) {
    const view = this.#view;
    if (view === null) {
      place.replaceChildren();
      return;
    }
    const lines = view.metric === "bandwidth"
      ? [["short", "1000 Mbit/s and more"], ["middle", "100 Mbit/s and more"], ["long", "less"], ["unknown", "not measured"]]
      : [["short", "up to " + view.siteMillis + " ms"], ["middle", "up to 50 ms"], ["long", "longer"]];
    const shown = [...lines,
      ["middle added", "+ added"], ["middle removed", "− removed"], ["middle reweighed", "~ weight changed"]]
      .map(([kind, text]) => legendLine(kind, text));
    const about = document.createElement("span");
    about.textContent = this.#isNamed() ? "Regions are sites."
      : "No sites are configured: edges of up to " + view.siteMillis + " ms join the members of a region.";
    const unit = document.createElement("span");
    unit.textContent = view.edges.length >= MANY_MEMBERS ? "" : "In a box: weight of the edge to its parent, in " + (view.metric === "bandwidth" ? "Mbit/s." : "ms.");
    place.replaceChildren(...shown, about, unit);
  }
}

/** What has only just come arrives; drawn again it is there. */
function fresh(news) {
  return news.until - Date.now() > FADE_MILLIS - 1000 ? " fresh" : "";
}

function sign(news) {
  return news === undefined ? "" : { added: "+ ", removed: "− ", reweighed: "~ " }[news.kind];
}

function marks(id, view) {
  return [...(id === view.node ? ["self"] : []), ...(id === view.root ? ["root"] : [])];
}

function spoken(member, view, site) {
  return [member.id, site === undefined ? "" : "site " + site, ...marks(member.id, view).map(mark => mark === "self" ? "this agent" : mark),
    member.parent === null ? "" : weight(member.edge) + " from " + member.parent.id].filter(part => part !== "").join(", ");
}

function move(shape, box, isGliding) {
  shape.classList.toggle("gliding", isGliding);
  shape.style.transform = `translate(${box.x}px,${box.y}px)`;
}

function legendLine(kind, text) {
  const item = document.createElement("span");
  const svg = element("svg", { width: 30, height: 12, "aria-hidden": "true" });
  const line = element("g", { class: "edge " + kind });
  line.append(element("path", { class: "line", d: "M1,6 H29" }));
  svg.append(line);
  item.append(svg, document.createTextNode(" " + text));
  return item;
}
