// Lays out trees and counts what must not be: an edge that touches a box of neither of its ends or a region of neither, and boxes or
// regions that overlap. Run by LivePageLayoutTest:
//   node tree-layout-check.mjs FILE-OF-TREE-LAYOUT NUMBER-OF-SEEDS
import { pathToFileURL } from "node:url";

const { groups, layOut } = await import(pathToFileURL(process.argv[2]));

function edge(a, b, weightMillis = 1) {
  return { a: String(a), b: String(b), weightMillis };
}

/** A deterministic sequence, so that each run checks the same trees. */
function sequence(seed) {
  let state = seed;
  return below => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor(state / 2147483648 * below);
  };
}

/** Whether the rectangle around two points of a route overlaps a box. */
function touches(from, to, box) {
  return Math.min(from.x, to.x) < box.x + box.width && Math.max(from.x, to.x) > box.x
    && Math.min(from.y, to.y) < box.y + box.height && Math.max(from.y, to.y) > box.y;
}

function overlap(one, other) {
  return touches({ x: one.x, y: one.y }, { x: one.x + one.width, y: one.y + one.height }, other);
}

function pairs(list) {
  return list.flatMap((one, index) => list.slice(index + 1).map(other => [one, other]));
}

function faults(tree, fit) {
  const { members, regions, edges, absent } = layOut(tree, { width: 1000, height: 600, titleWidthOf: () => 60, isNamed: () => true, ...fit });
  const shown = [...members.values()].filter(member => !member.isHidden);
  const found = [];
  for (const { parent, member, points } of edges) {
    const name = parent.id + "-" + member.id;
    const segments = points.slice(1).map((point, before) => [points[before], point]);
    for (const other of shown.filter(box => box !== parent && box !== member)) {
      if (segments.some(([from, to]) => touches(from, to, other))) {
        found.push(name + " touches " + other.id);
      }
    }
    for (const region of regions.filter(box => box !== parent.region && box !== member.region)) {
      if (segments.some(([from, to]) => touches(from, to, region))) {
        found.push(name + " touches the region of " + region.entry.id);
      }
    }
  }
  found.push(...pairs([...shown, ...absent.boxes]).filter(([one, other]) => overlap(one, other)).map(([one, other]) => one.id + " on " + other.id));
  found.push(...pairs(regions).filter(([one, other]) => overlap(one, other)).map(([one, other]) => "regions of " + one.entry.id + " and " + other.entry.id));
  if (edges.length + regions.filter(region => region.isFolded).reduce((sum, region) => sum + region.members.length - 1, 0) !== tree.edges.length) {
    found.push("edges are missing");
  }
  return found;
}

const found = [];
for (const isOneSite of [true, false]) {
  const edges = [edge(1, 2), edge(1, 3), edge(2, 4), edge(2, 5), edge(2, 6)];
  const sites = new Map(["1", "2", "3", "4", "5", "6"].map(id => [id, isOneSite ? "x" : id]));
  for (const start of ["1", "3"]) {
    found.push(...faults({ edges, start, groups: sites }, { widthOf: id => id === "3" ? 70 : 24 }));
  }
}
for (let seed = 0; seed < Number(process.argv[3]); seed++) {
  const next = sequence(seed);
  const sites = 1 + next(8);
  const edges = [];
  const of = new Map([["0", "s0"]]);
  const reach = 1 + next(60);
  for (let id = 1; id < 2 + next(seed % 10 === 0 ? 200 : 60); id++) {
    const parent = Math.max(0, id - 1 - next(reach));
    edges.push(edge(parent, id, next(3) === 0 ? 40 : 0.5));
    // Most are of their parent's site; so a site may be in several parts.
    of.set(String(id), next(4) > 0 ? of.get(String(parent)) : "s" + next(sites));
  }
  const widths = edges.map(() => 20 + next(200));
  const widthOf = id => widths[Number(id)] ?? 40;
  const start = String(next(edges.length + 1));
  const named = { edges, start, groups: of, absent: [...Array(next(7)).keys()].map(id => "a" + id) };
  found.push(...faults(named, { widthOf }));
  found.push(...faults({ ...named, folded: new Set(["s0", "s2"]) }, { widthOf, width: 400, height: 700 }));
  found.push(...faults({ edges, start, groups: groups(edges, start, {}, 3) }, { widthOf, isNamed: () => false }));
}
console.log(found.length + " faults" + found.slice(0, 5).map(text => "\n" + text).join(""));
