// The page itself: asks the agent once a second what its trees are, one question at a time, and shows what is new. While
// nobody looks at the page, nobody is asked.

import { ask, forget } from "./agent-answers.js";
import { showHistory, showLinks, showSeen } from "./tables.js";
import { byId, difference } from "./tree-layout.js";
import { TreePicture } from "./tree-picture.js";
import { clock, count, inAll } from "./words.js";

const LOOK_MILLIS = 1000;

/** Widest trees that are listed: as many as the agent lists of the others. */
const MAX_SEEN = 50;

/** Edges that a row names, and absent members that are named. */
const MAX_NAMED = 8;
const MAX_ABSENT = 50;

const place = id => document.getElementById(id);
const picture = new TreePicture(place("picture"), place("legend"));

/** The latest answers. */
let report = null;
let history = [];

/** The widest trees that were answered while the page was open, the latest first. */
let seen = [];

let metric = "latency";
let lastAnswer = null;
let failure = null;
let timer = undefined;
let isLooking = false;

function edgesOf(answer, by) {
  return (by === "latency" ? answer.tree : answer.widestTree?.tree) ?? null;
}

function view() {
  const edges = edgesOf(report, metric);
  const tree = metric === "latency" ? report : report.widestTree;
  return edges === null ? null : {
    metric, edges, node: report.node, root: tree.root, version: tree.version,
    latencyEdges: report.tree ?? [], sites: report.sites, siteMillis: report.siteMillis
  };
}

/** A new answer: shows the tree, and what is new in it. */
function showReport(answer) {
  const before = report !== null && report.node === answer.node ? report : null;
  if (before === null) {
    seen = [];
  }
  report = answer;
  noteWidest(before, answer);
  const now = view();
  const edgesBefore = before === null ? null : edgesOf(before, metric);
  if (now === null) {
    picture.clear(noTree());
  } else {
    picture.show(now, edgesBefore === null || isSame(edgesBefore, now.edges) ? null : edgesBefore);
  }
  showText();
}

function isSame(before, now) {
  const news = difference(before, now);
  return news.removed.length + news.added.length + news.reweighed.length === 0;
}

function noTree() {
  if (metric === "latency") {
    return "No tree yet.";
  }
  return report.measuresThroughput
    ? "No tree by bandwidth yet; the agent has just started."
    : "No tree by bandwidth; the agent measures no throughput (throughput.enabled).";
}

function noteWidest(before, answer) {
  const tree = answer.widestTree;
  if (tree === undefined || (before?.widestTree !== undefined && before.widestTree.version === tree.version)) {
    return;
  }
  const news = difference(before?.widestTree?.tree ?? tree.tree, tree.tree);
  const named = list => list.slice(0, MAX_NAMED);
  seen.unshift({
    at: new Date().toISOString(), version: tree.version, versionBefore: before?.widestTree?.version ?? 0, root: tree.root,
    edges: tree.tree,
    removed: named(news.removed), removedMore: news.removed.length - named(news.removed).length,
    added: named(news.added), addedMore: news.added.length - named(news.added).length
  });
  seen.length = Math.min(seen.length, MAX_SEEN);
}

function showText() {
  const now = view();
  place("agent").textContent = report.node;
  place("summary").textContent = now === null ? ""
    : ["version " + now.version, "root " + now.root, count(now.edges.length, "edge"), inAll(now.edges)]
      .filter(part => part !== "").join(", ");
  document.title = report.node + (now === null ? "" : ": version " + now.version + ", " + count(now.edges.length, "edge"))
    + " - Treecast";
  const absent = metric === "latency" && now !== null ? [...report.absent].sort(byId) : [];
  place("absent").hidden = absent.length === 0;
  place("absent").textContent = "Known, and not in this tree: " + absent.slice(0, MAX_ABSENT).join(", ")
    + (absent.length > MAX_ABSENT ? " and " + (absent.length - MAX_ABSENT) + " more" : "");
  showTableOfTrees();
  showTrouble();
}

function showTableOfTrees() {
  if (metric === "latency") {
    place("history-about").textContent = "The latest trees that this agent has committed since it started, "
      + "by its own clock; how long each took it, and how many messages it sent for it.";
    showHistory(place("history"), history);
  } else {
    place("history-about").textContent = "The widest trees that this page has seen since it was opened. Edges show what "
      + "they counted as when the tree was committed, those of this agent what they count as now.";
    showSeen(place("history"), seen);
  }
}

/** Says what keeps the page from being true, or the agent from being ready. */
function showTrouble() {
  const text = failure !== null ? unanswered()
    : report !== null && !report.ready ? "Not ready: " + report.reason : "";
  const trouble = place("trouble");
  trouble.hidden = text === "";
  if (trouble.textContent !== text) {
    trouble.textContent = text;
  }
  document.body.classList.toggle("lost", failure !== null);
}

function unanswered() {
  if (lastAnswer === null) {
    return "No answer from the agent: " + failure;
  }
  return "No answer from the agent since " + clock(lastAnswer) + ": " + failure + ". What is below is what it said then.";
}

/** One round of questions. Each is answered in a few bytes when nothing is new. */
async function look() {
  let answer = await ask("tree.json");
  const trees = await ask("history.json");
  if (answer === null && trees !== null) {
    // A tree came between the two answers.
    answer = await ask("tree.json");
  }
  const links = place("links").open ? await ask("links.json") : null;
  if (trees !== null) {
    history = trees.history;
  }
  if (answer !== null) {
    showReport(answer);
  } else if (trees !== null) {
    showTableOfTrees();
  }
  if (links !== null) {
    showLinks(place("links-table"), links.links);
  }
}

async function lookAgainAndAgain() {
  if (isLooking || document.hidden) {
    return;
  }
  clearTimeout(timer);
  isLooking = true;
  try {
    await look();
    failure = null;
    lastAnswer = new Date();
  } catch (problem) {
    failure = problem.message;
    // Who answers next may be another agent.
    forget();
  }
  showTrouble();
  isLooking = false;
  timer = setTimeout(lookAgainAndAgain, LOOK_MILLIS);
}

document.addEventListener("visibilitychange", lookAgainAndAgain);
place("links").addEventListener("toggle", lookAgainAndAgain);
place("metrics").addEventListener("change", event => {
  metric = event.target.value;
  if (report !== null) {
    const now = view();
    if (now === null) {
      picture.clear(noTree());
    } else {
      picture.turnTo(now);
    }
    showText();
  }
});
lookAgainAndAgain();
