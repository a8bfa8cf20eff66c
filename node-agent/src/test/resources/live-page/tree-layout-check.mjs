// Lays out trees and counts the edges that touch a box of neither of their ends. Run by LivePageLayoutTest:
//   node tree-layout-check.mjs FILE-OF-TREE-LAYOUT
import { pathToFileURL } from "node:url";

const { layOut, route } = await import(pathToFileURL(process.argv[2]));
const BEND = 26;
const HALF_BOX = 11;

function edge(a, b) {
  return { a: String(a), b: String(b), weightMillis: 1 };
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
    && Math.min(from.y, to.y) < box.y + HALF_BOX && Math.max(from.y, to.y) > box.y - HALF_BOX;
}

function crossings(edges, start, widthOf) {
  const { nodes } = layOut(edges, start, { widthOf, rowHeight: 30, gap: BEND + 60 });
  const found = [];
  for (const node of nodes.values()) {
    if (node.parent === null) {
      continue;
    }
    const points = route(nodes.get(node.parent), node, BEND);
    for (const other of nodes.values()) {
      const isEnd = other.id === node.id || other.id === node.parent;
      if (!isEnd && points.slice(1).some((point, before) => touches(points[before], point, other))) {
        found.push(node.parent + "-" + node.id + " touches " + other.id);
      }
    }
  }
  return found;
}

const found = crossings(
  [edge(1, 2), edge(1, 3), edge(2, 4), edge(2, 5), edge(2, 6)], "1", id => id === "3" ? 70 : 24);
for (let seed = 0; seed < 300; seed++) {
  const next = sequence(seed);
  const edges = [];
  for (let id = 1; id < 2 + next(60); id++) {
    edges.push(edge(next(id), id));
  }
  const widths = edges.map(() => 20 + next(200));
  found.push(...crossings(edges, "0", id => widths[Number(id)] ?? 40));
}
console.log(found.length + " crossings" + found.slice(0, 5).map(text => "\n" + text).join(""));
