// Computes: what is new in a tree, which members are near each other, and where each stands. Nothing here keeps a state or
// knows the document. An edge has two ends, a and b, and what it weighs; ids are unique in a tree.

/** The name of an edge, the same in all trees. */
export function key(edge) {
  return edge.a + " " + edge.b;
}

function sameWeight(one, other) {
  return one.weightMillis === other.weightMillis && one.throughputMbps === other.throughputMbps;
}

/** What is new; an edge that only has another weight is the same edge. */
export function difference(before, now) {
  const old = new Map(before.map(edge => [key(edge), edge]));
  const present = new Set(now.map(key));
  return {
    removed: before.filter(edge => !present.has(key(edge))),
    added: now.filter(edge => !old.has(key(edge))),
    reweighed: now.filter(edge => old.has(key(edge)) && !sameWeight(old.get(key(edge)), edge))
  };
}

/** The neighbours of each node, with the edges to them. */
function neighbours(edges) {
  const found = new Map();
  const add = (from, to, edge) => {
    if (!found.has(from)) {
      found.set(from, []);
    }
    found.get(from).push({ id: to, edge });
  };
  for (const edge of edges) {
    add(edge.a, edge.b, edge);
    add(edge.b, edge.a, edge);
  }
  return found;
}

/** Ids in the order in which people number hosts. */
export function byId(one, other) {
  return one.localeCompare(other, "en", { numeric: true }) || (one < other ? -1 : one > other ? 1 : 0);
}

/**
 * Which members belong together, by id. By their sites if any is named; those without a name are then missing. Otherwise
 * whoever is joined by edges of at most siteMillis, the group named for its first member.
 */
export function groups(edges, start, sites, siteMillis) {
  const members = new Set([start, ...edges.flatMap(edge => [edge.a, edge.b])]);
  const named = [...members].filter(id => Object.hasOwn(sites, id));
  if (named.length > 0) {
    return new Map(named.map(id => [id, sites[id]]));
  }
  const near = neighbours(edges.filter(edge => edge.weightMillis <= siteMillis));
  const found = new Map();
  for (const first of [...members].sort(byId)) {
    const reached = found.has(first) ? [] : [first];
    for (const id of reached) {
      if (!found.has(id)) {
        found.set(id, first);
        (near.get(id) ?? []).forEach(next => reached.push(next.id));
      }
    }
  }
  return found;
}

/**
 * Edges that went, and that lead from a member to where nobody is a member any more: to be drawn as if they were there
 * still, so that it is to be seen who is missing.
 */
export function leadingAway(edges, start, removed) {
  const members = new Set([start, ...edges.flatMap(edge => [edge.a, edge.b])]);
  const around = neighbours(removed);
  const away = [];
  const reached = [...members];
  const seen = new Set(members);
  for (const id of reached) {
    for (const next of around.get(id) ?? []) {
      if (!seen.has(next.id)) {
        seen.add(next.id);
        reached.push(next.id);
        away.push(next.edge);
      }
    }
  }
  return away;
}

/**
 * Places a tree from left to right: the start at the left, each node in the column after its neighbour towards the start,
 * and in the middle of those behind it. What is behind one is moved together with it as near as can be to what is behind the
 * one before, after Reingold and Tilford's "Tidier Drawings of Trees". Neighbours stand in the order of their ids, so that
 * what does not change stays about where it is.
 *
 * Returns the nodes by id, with x and y of the middle of their left side, their width, where their column ends, and their
 * parent; width and height in all.
 */
export function layOut(edges, start, { widthOf, rowHeight, gap }) {
  const around = neighbours(edges);
  const nodes = new Map([[start, { id: start, depth: 0, parent: null, children: [] }]]);
  // Each node after its parent.
  const order = [...nodes.values()];
  for (const node of order) {
    const next = (around.get(node.id) ?? []).filter(other => !nodes.has(other.id));
    for (const { id, edge } of next.sort((one, other) => byId(one.id, other.id))) {
      const child = { id, depth: node.depth + 1, parent: node.id, edge, children: [] };
      nodes.set(id, child);
      node.children.push(child);
      order.push(child);
    }
  }
  const columns = [];
  for (const node of order) {
    node.width = widthOf(node.id);
    columns[node.depth] = Math.max(columns[node.depth] ?? 0, node.width);
  }
  const left = [];
  columns.reduce((x, width, depth) => {
    left[depth] = x;
    return x + width + gap;
  }, 0);
  placeRows(order, rowHeight);
  order.forEach(node => {
    node.x = left[node.depth];
    node.columnEnd = node.x + columns[node.depth];
  });
  const height = Math.max(...order.map(node => node.y)) + rowHeight / 2;
  return { nodes, width: left.at(-1) + columns.at(-1), height };
}

/**
 * The points that an edge passes: straight from the right side of the parent's box to the end of its column, then within the
 * gap between two columns, where no box is, to the row of the child, and straight to its box.
 */
export function route(parent, node, bend) {
  return [
    { x: parent.x + parent.width, y: parent.y },
    { x: parent.columnEnd, y: parent.y },
    { x: parent.columnEnd + bend, y: node.y },
    { x: node.x, y: node.y }
  ];
}

/** Sets y of all. */
function placeRows(order, rowHeight) {
  for (const node of [...order].reverse()) {
    // Of what is behind the node: how far it reaches up and down from it in each column.
    const up = [];
    const down = [];
    for (const child of node.children) {
      child.offset = Math.max(0, ...down.slice(0, child.up.length).map((end, column) => end + rowHeight - child.up[column]));
      child.up.forEach((reach, column) => { up[column] ??= child.offset + reach; });
      child.down.forEach((reach, column) => { down[column] = child.offset + reach; });
    }
    const middle = node.children.length === 0 ? 0 : (node.children[0].offset + node.children.at(-1).offset) / 2;
    node.children.forEach(child => { child.offset -= middle; });
    node.up = [0, ...up.map(reach => reach - middle)];
    node.down = [0, ...down.map(reach => reach - middle)];
  }
  order[0].y = rowHeight / 2 - Math.min(...order[0].up);
  order.forEach(node => node.children.forEach(child => { child.y = node.y + child.offset; }));
}
