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

/** Each member after its neighbour towards the start; neighbours in the order of their ids, so that what stays keeps its place. */
export function rooted(edges, start) {
  const around = neighbours(edges);
  const members = new Map([[start, { id: start, parent: null, edge: null, depth: 0, children: [] }]]);
  const order = [...members.values()];
  for (const member of order) {
    const next = (around.get(member.id) ?? []).filter(other => !members.has(other.id));
    for (const { id, edge } of next.sort((one, other) => byId(one.id, other.id))) {
      const child = { id, parent: member, edge, depth: member.depth + 1, children: [] };
      members.set(id, child);
      member.children.push(child);
      order.push(child);
    }
  }
  return order;
}

/** Sizes in the picture, in pixels at scale 1. */
const ROOMY = {
  box: 26, gutter: 12, indent: 22, cellGap: 10, padding: 12, title: 30, foldedHeight: 40, trunk: 10,
  gap: 118, bend: 40, apart: 22, lane: 16, label: 84, absentWidth: 218, absentHeight: 44, absentAbove: 44
};

/** The same where there are many members. */
const DENSE = { ...ROOMY, box: 19, gutter: 8, indent: 13, cellGap: 5, padding: 7, title: 26, trunk: 6, gap: 82, bend: 24, apart: 14 };

/** More lanes than this beside a region are narrower. */
const WIDE_LANES = 6;

/** Beyond, a picture is dense: boxes are small and do not say what the edges to their parents weigh. */
export const MANY_MEMBERS = 120;

/** Regions of about so many rows are tried, and what can be drawn largest is taken. */
const ROWS = [2, 3, 4, 5, 6, 8, 10, 13, 17, 22, 30, 1000];

/**
 * Where all of a tree stands. Members of one site that are joined are a region. Boxes within it stand in rows, and edges go between the rows
 * and beside the boxes; an edge leaves a region along the row of its box, where no box is behind that. So no edge passes a box. Regions
 * stand one above the other in a narrow window; else from left to right, each with what is behind it as near as can be to what is above, after
 * van der Ploeg's "Drawing Non-Layered Tidy Trees"; the gap behind a region belongs to its edges.
 *
 * tree: edges, start, groups (names of sites by member), folded (names of sites that are drawn as one box), absent (ids)
 * fit: width and height of the window, widthOf (of a member's box), titleWidthOf (of a name)
 *
 * Returns members by id, regions, edges with the points that they pass, absent boxes, and width and height in all. A member of a folded
 * region has no place, and its region's box stands for it.
 */
export function layOut(tree, fit) {
  const size = tree.edges.length >= MANY_MEMBERS ? DENSE : ROOMY;
  let best = null;
  for (const isTall of [false, true]) {
    for (const rows of [...ROWS].reverse()) {
      const made = layOutWith(rows, tree, { ...fit, size, isTall });
      made.scale = Math.min(fit.width / made.width, fit.height / made.height);
      // One above the other only where that is much larger, as on a telephone.
      if (best === null || made.scale > best.scale * (isTall && !best.isTall ? 1.3 : 1.02)) {
        best = made;
      }
    }
  }
  return best;
}

function layOutWith(rows, tree, fit) {
  const { size } = fit;
  const order = rooted(tree.edges, tree.start);
  const regions = regionsOf(order, tree);
  regions.forEach(region => fillRegion(region, Math.ceil(region.members.length / rows), fit));
  if (fit.isTall) {
    stack(regions, size);
  } else {
    spread(regions, size);
  }
  for (const region of regions) {
    region.members.forEach(member => {
      member.x = region.x + (member.inX ?? 0);
      member.y = region.y + (member.inY ?? 0);
    });
  }
  let width = Math.max(...regions.map(region => region.far ?? region.x + region.width));
  let height = Math.max(...regions.map(region => region.y + region.height));
  const absent = placeAbsent(tree.absent ?? [], Math.max(width, 3 * size.absentWidth), height, size);
  if (absent.boxes.length > 0) {
    width = Math.max(width, absent.width);
    height = absent.bottom;
  }
  return {
    members: new Map(order.map(member => [member.id, member])), regions, absent, width, height,
    edges: order.filter(member => member.parent !== null && !isInside(member)).map(member => route(member, fit)),
    isTall: fit.isTall,
    size
  };
}

/** From left to right. */
function spread(regions, size) {
  regions[0].x = 0;
  regions.forEach(region => region.next.forEach(next => { next.x = region.x + region.width + size.gap; }));
  placeRows(regions, size);
  regions[0].y = -Math.min(...regions[0].area.map(rect => rect.top));
  regions.forEach(region => region.next.forEach(next => { next.y = region.y + next.offset; }));
}

/** One above the other: each edge between regions goes down a lane of its own, to the right of all that is behind its parent. */
function stack(regions, size) {
  const order = [];
  const open = [{ region: regions[0], x: 0 }];
  let y = 0;
  while (open.length > 0) {
    const { region, x } = open.pop();
    Object.assign(region, { x, y });
    order.push(region);
    y += region.height + size.apart;
    [...region.next].reverse().forEach(next => open.push({ region: next, x: x + size.indent }));
  }
  for (const region of order.reverse()) {
    const beside = Math.max(region.x + region.width, ...region.next.map(next => next.far));
    const apart = size.lane * Math.min(1, WIDE_LANES / region.next.length);
    region.next.forEach((next, index) => { next.lane = beside + apart * (index + 1); });
    region.far = beside + apart * region.next.length;
  }
}

/** Whether an edge is within a box that stands for a whole site. */
function isInside(member) {
  return member.region === member.parent.region && member.region.isFolded;
}

function regionsOf(order, tree) {
  const regions = [];
  const parts = new Map();
  for (const member of order) {
    const site = tree.groups.get(member.id) ?? null;
    const above = member.parent?.region;
    if (above !== undefined && above.site === site) {
      member.region = above;
    } else {
      const number = (parts.get(site) ?? 0) + 1;
      parts.set(site, number);
      member.region = { site, part: number, key: number + " " + site, entry: member, members: [], next: [], isFolded: tree.folded?.has(site) ?? false };
      regions.push(member.region);
    }
    member.region.members.push(member);
  }
  regions.forEach(region => { region.parts = parts.get(region.site); });
  return regions;
}

/** Sets where members stand in their region, how large it is and which are behind it. */
function fillRegion(region, columns, fit) {
  const { size } = fit;
  region.isBare = !region.isFolded && region.members.length === 1 && !(fit.isNamed?.(region.site) ?? false);
  const padding = region.isBare ? 0 : size.padding;
  const title = region.isBare ? 0 : size.title;
  const box = Math.max(...region.members.map(member => fit.widthOf(member.id)));
  if (region.isFolded) {
    region.width = Math.max(120, fit.titleWidthOf(region) + 2 * size.padding + (fit.isTall ? size.label : 0));
    region.height = size.foldedHeight;
    region.members.forEach(member => {
      Object.assign(member, { inX: 0, inY: 0, width: region.width, height: region.height, isHidden: true });
      region.next.push(...member.children.filter(child => child.region !== region).map(child => child.region));
    });
    return;
  }
  // Each member after those behind it.
  for (const member of [...region.members].reverse()) {
    packBlock(member, box, size.indent + columns * (box + size.cellGap) - size.cellGap, size);
  }
  let width = 0;
  const open = [{ member: region.entry, x: padding, row: 0 }];
  while (open.length > 0) {
    const { member, x, row } = open.pop();
    Object.assign(member, { inX: x, inY: title + row * (size.box + size.gutter), width: box, height: size.box });
    width = Math.max(width, x + box + padding);
    member.block.inside.forEach(({ child, dx, dRow }) => open.push({ member: child, x: x + dx, row: row + dRow }));
  }
  [...region.members].sort((one, other) => one.inY - other.inY).forEach(member =>
    region.next.push(...member.children.filter(child => child.region !== region).map(child => child.region)));
  region.width = region.isBare ? width : Math.max(width, fit.isTall ? padding + box + size.label : 0, fit.titleWidthOf(region) + 2 * size.padding);
  region.height = title + region.entry.block.rows * (size.box + size.gutter) - size.gutter + padding;
}

/**
 * Sets how a member and those of its region behind it stand to each other: the member on top, and below, indented, what is
 * behind it, on shelves that are filled from left to right. What an edge leaves the region from has a shelf for itself, so that the way to
 * the right is free, and the upper ones, so that regions stand side by side.
 */
function packBlock(member, box, most, size) {
  const inside = member.children.filter(child => child.region === member.region);
  const rank = child => (child.block.hasExit ? 0 : 1 << 20) + child.block.rows;
  const sorted = [...inside].sort((one, other) => rank(one) - rank(other) || byId(one.id, other.id));
  const block = { inside: [], width: box, rows: 1, hasExit: inside.length < member.children.length };
  let x = size.indent;
  let shelf = 1;
  for (const child of sorted) {
    if (x > size.indent && x + child.block.width > most) {
      x = size.indent;
      shelf = block.rows;
    }
    block.inside.push({ child, dx: x, dRow: shelf });
    child.isFirst = x === size.indent;
    block.rows = Math.max(block.rows, shelf + child.block.rows);
    block.width = Math.max(block.width, x + child.block.width);
    x = child.block.hasExit ? Infinity : x + child.block.width + size.cellGap;
    block.hasExit ||= child.block.hasExit;
  }
  member.block = block;
}

const middle = member => member.inY + member.height / 2;

/** Sets how far each region is below the one before it, and what is taken by it and all that is behind it. */
function placeRows(regions, size) {
  for (const region of [...regions].reverse()) {
    const own = { left: region.x, right: region.x + region.width, top: 0, bottom: region.height };
    const taken = [];
    const entries = [];
    const exits = [];
    for (const next of region.next) {
      let offset = taken.length === 0 ? -next.area[0].top : -Infinity;
      for (const above of taken) {
        for (const below of next.area) {
          if (above.left < below.right && below.left < above.right) {
            offset = Math.max(offset, above.bottom + size.apart - below.top);
          }
        }
      }
      next.offset = Math.max(offset, (entries.at(-1) ?? -Infinity) - middle(next.entry) + size.box);
      taken.push(...next.area.map(rect => ({ ...rect, top: rect.top + next.offset, bottom: rect.bottom + next.offset })));
      entries.push(next.offset + middle(next.entry));
      exits.push(middle(next.entry.parent));
    }
    const mean = list => list.reduce((sum, value) => sum + value, 0) / list.length;
    const shift = entries.length === 0 ? 0 : mean(exits) - mean(entries);
    region.next.forEach(next => { next.offset += shift; });
    region.area = [own];
    if (entries.length > 0) {
      const ends = [...entries.map(entry => entry + shift), ...exits];
      region.area.push({
        left: own.right, right: own.right + size.gap,
        top: Math.min(...ends) - size.box, bottom: Math.max(...ends) + size.box / 2
      });
      region.area.push(...taken.map(rect => ({ ...rect, top: rect.top + shift, bottom: rect.bottom + shift })));
    }
  }
}

/** The points that the edge between a member and its parent passes. The first is at the parent's box, the last at the member's. */
function route(member, { size, isTall }) {
  const parent = member.parent;
  const from = { x: parent.x + parent.width, y: parent.y + parent.height / 2 };
  const to = { x: member.x, y: member.y + member.height / 2 };
  const made = { edge: member.edge, parent, member, isBetween: member.region !== parent.region };
  if (made.isBetween && isTall) {
    const { lane } = member.region;
    const apart = size.box / 5;
    made.points = [{ x: from.x, y: from.y + apart }, { x: lane, y: from.y + apart }, { x: lane, y: to.y - apart },
      { x: member.x + member.width, y: to.y - apart }];
    made.isBent = true;
    made.label = { x: member.region.x + member.region.width - (member.isHidden ? 36 : 6), y: to.y - apart - 4 };
  } else if (made.isBetween) {
    const turn = parent.region.x + parent.region.width;
    made.points = [from, { x: turn, y: from.y }, { x: turn + size.bend, y: to.y }, to];
    made.label = { x: member.region.x - 8, y: to.y - 6 };
  } else {
    const trunk = parent.x + size.trunk;
    const start = { x: trunk, y: parent.y + parent.height };
    if (member.isFirst) {
      made.points = [start, { x: trunk, y: to.y }, to];
    } else {
      const bus = member.y - size.gutter / 2;
      const drop = member.x + size.trunk;
      made.points = [start, { x: trunk, y: bus }, { x: drop, y: bus }, { x: drop, y: member.y }];
    }
  }
  return made;
}

function placeAbsent(ids, width, top, size) {
  const columns = Math.max(1, Math.floor((width - 2 * size.padding) / (size.absentWidth + size.cellGap)));
  const boxes = ids.map((id, index) => ({
    id, width: size.absentWidth, height: size.absentHeight,
    x: size.padding + (index % columns) * (size.absentWidth + size.cellGap),
    y: top + size.absentAbove + size.title + Math.floor(index / columns) * (size.absentHeight + size.cellGap)
  }));
  const last = boxes.at(-1);
  const used = Math.min(columns, boxes.length);
  return {
    boxes, top: top + size.absentAbove, bottom: last === undefined ? top : last.y + last.height + size.padding,
    width: 2 * size.padding + used * (size.absentWidth + size.cellGap) - size.cellGap
  };
}
