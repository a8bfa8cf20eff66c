// How numbers, times and edges read. The words are those of the command `treecast tree watch`. Nothing here keeps a state.

/** Milliseconds: 331.0, or to the microsecond below a tenth: 0.042. */
export function millis(value) {
  return value.toFixed(value < 0.1 ? 3 : 1);
}

/** The throughput that an edge counts as, in Mbit/s. */
function throughput(edge) {
  return edge.throughputMbps === null ? "?" : (edge.atLeast ? "≥ " : "") + edge.throughputMbps.toFixed(edge.atLeast ? 0 : 1);
}

/** What an edge weighs, without the unit. */
export function bareWeight(edge) {
  return edge.weightMillis !== undefined ? millis(edge.weightMillis) : throughput(edge);
}

/** What an edge weighs, of a tree by latency or by bandwidth. */
export function weight(edge) {
  return bareWeight(edge) + (edge.weightMillis !== undefined ? " ms" : " Mbit/s");
}

/** For example "1 edge" or "3 edges". */
export function count(number, noun) {
  return number + " " + noun + (number === 1 ? "" : "s");
}

/** The total weight of a tree, or its slowest edge: the number and its unit. */
export function total(edges) {
  if (edges.length === 0) {
    return ["–", "no edges"];
  }
  if (edges[0].weightMillis !== undefined) {
    return [millis(edges.reduce((sum, edge) => sum + edge.weightMillis, 0)), "ms total weight"];
  }
  const narrowest = edges.reduce((least, edge) =>
    (edge.throughputMbps ?? 0) < (least.throughputMbps ?? 0) ? edge : least);
  return [throughput(narrowest), "Mbit/s on the slowest edge"];
}

/** Why a tree was made. */
export function causes(list) {
  return list.length === 0 ? "only weights changed" : list.join(" and ");
}

/** A time of day of this browser's time zone, with the date unless it is today. */
export function clock(date) {
  const two = number => String(number).padStart(2, "0");
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(":");
  if (date.toDateString() === new Date().toDateString()) {
    return time;
  }
  return date.getFullYear() + "-" + two(date.getMonth() + 1) + "-" + two(date.getDate()) + " " + time;
}

/** How long something has been so, in the largest unit of which there are two at least. */
export function age(milliseconds) {
  const seconds = Math.floor(milliseconds / 1000);
  for (const [unit, length] of [["d", 86400], ["h", 3600], ["min", 60]]) {
    if (seconds >= 2 * length) {
      return Math.floor(seconds / length) + " " + unit;
    }
  }
  return seconds + " s";
}

/** A rate a second: whole from ten on. */
export function rate(value) {
  return value === 0 ? "0" : value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString("en");
}

/** The beginning of a text. */
export function begin(text, most) {
  return text.length <= most ? text : text.slice(0, most - 1) + "…";
}

/** Text that fits into the picture. */
export function short(text, most = 24) {
  return text.length <= most ? text : text.slice(0, Math.floor(most / 2)) + "…" + text.slice(-(Math.ceil(most / 2) - 1));
}
