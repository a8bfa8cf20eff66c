// The page itself: asks the agent once a second what its trees are, one question at a time, and shows what is new. While
// nobody looks at the page, nobody is asked.

import { ask, askOnce, forget } from "./agent-answers.js";
import { absenceInShort, Details } from "./details.js";
import { isSelector, matches, parse } from "./selector.js";
import { showGroups, showHistory, showLinks } from "./tables.js";
import { byId, difference, key } from "./tree-layout.js";
import { TreePicture } from "./tree-picture.js";
import { clock, count, total, rate } from "./words.js";

const LOOK_MILLIS = 1000;
const HOUR_MILLIS = 3600000;

/** Widest trees that are listed: as many as the agent lists of the others. */
const MAX_SEEN = 50;

/** Edges that a row names. */
const MAX_NAMED = 8;

/** Rounds of questions between two for groups. */
const GROUPS_ROUNDS = 5;

/** Rates are over so many answers. */
const RATE_ANSWERS = 5;

const place = id => document.getElementById(id);
const picture = new TreePicture(place("picture"), place("instead"));
const details = new Details(place("details"));

/** The latest answers. */
let report = null;
let history = [];
let links = [];

/** By member. */
let labels = {};

/** The groups as the root of the tree told them last, and whether there are more. */
let groups = { groups: [], more: false };
let groupsFailure = null;

/** The rounds until the root is asked again, which costs it a message for each edge on the way. */
let groupsRounds = 0;

/** The path of the group whose members are marked, and their ids; or null. */
let group = null;

/** The latest counts of messages, the oldest first, with the time of this browser. */
let activity = [];

/** The widest trees that were answered while the page was open, the latest first. */
let seen = [];

/** A tree of before that is drawn instead of that of now: its view and its change; or null. */
let past = null;
let choice = null;

/** Of the absent members, as they were looked at last. */
let absentWords = "[]";
let metric = "latency";
let lastAnswer = null;
let failure = null;
let timer = undefined;
let isLooking = false;

function edgesOf(answer, by) {
  return (by === "latency" ? answer.tree : answer.widestTree?.tree) ?? null;
}

function absent() {
  if (metric !== "latency" || report.tree === undefined) {
    return [];
  }
  const of = new Map(links.map(link => [link.peer, link]));
  return [...report.absent].sort(byId).map(id => ({ id, words: absenceInShort(of.get(id)) }));
}

function view() {
  const edges = edgesOf(report, metric);
  const tree = metric === "latency" ? report : report.widestTree;
  return edges === null ? null : {
    metric, edges, node: report.node, root: tree.root, version: tree.version, absent: absent(),
    latencyEdges: report.tree ?? [], sites: report.sites, siteMillis: report.siteMillis
  };
}

/** A new answer: shows the tree, and what is new in it. */
function showReport(answer) {
  const before = report !== null && report.node === answer.node ? report : null;
  if (before === null) {
    seen = [];
    past = null;
  }
  report = answer;
  noteWidest(before, answer);
  if (past === null) {
    const now = view();
    const edgesBefore = before === null ? null : edgesOf(before, metric);
    if (now === null) {
      showNoTree();
    } else {
      picture.show(now, edgesBefore === null || isSame(edgesBefore, now.edges) ? null : edgesBefore);
    }
  }
  document.body.classList.remove("loading");
  keepChoice();
  mark();
  showText();
}

/** A choice goes on while what was chosen is there; an edge may weigh differently. */
function keepChoice() {
  if (choice?.edge !== undefined) {
    const edges = (past?.view ?? view())?.edges ?? [];
    const now = edges.find(edge => key(edge) === key(choice.edge));
    choice = now === undefined ? choice : { edge: now };
  } else if (choice?.member !== undefined || choice?.absent !== undefined) {
    const id = choice.member ?? choice.absent;
    choice = picture.member(id) === undefined ? { absent: id } : { member: id };
  }
  picture.select(choice);
}

function isSame(before, now) {
  const news = difference(before, now);
  return news.removed.length + news.added.length + news.reweighed.length === 0;
}

function showNoTree() {
  if (metric === "latency") {
    picture.clear("No tree yet", report.reason || "The agent measures its links first.", "calm");
  } else {
    picture.clear("No tree by bandwidth", report.measuresThroughput
      ? "The agent has just started, and still measures the throughput of its links."
      : "The agent measures no throughput (throughput.enabled).", "calm");
  }
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
    tree: tree.tree,
    removed: named(news.removed), removedMore: news.removed.length - named(news.removed).length,
    added: named(news.added), addedMore: news.added.length - named(news.added).length
  });
  seen.length = Math.min(seen.length, MAX_SEEN);
}

/** Where there is little room, what is more is shown only if it is bad. */
function figure(name, value, about, more = "", kind = "") {
  const of = place("figure-" + name);
  of.className = kind;
  const [number, words] = [of.querySelector("b"), of.querySelector("span")];
  if (number.textContent !== String(value)) {
    number.textContent = value;
  }
  words.textContent = about;
  words.dataset.more = more;
}

function showText() {
  if (report === null) {
    return;
  }
  const now = view();
  const missing = report.absent.length;
  place("agent").textContent = "Agent " + report.node;
  place("where").textContent = "Treecast" + (report.sites[report.node] === undefined ? "" : ", site " + report.sites[report.node]);
  document.title = report.node + (now === null ? "" : ": " + count(now.edges.length + 1, "member")) + " – Treecast";
  figure("ready", failure !== null ? "No answer" : report.ready ? "Ready" : "Not ready",
    now === null ? "no tree" : "version " + now.version, now === null ? "" : ", root " + now.root, failure !== null || !report.ready ? "bad" : "good");
  figure("members", now === null ? "–" : now.edges.length + 1, now?.edges.length === 0 ? "member" : "members", missing === 0 ? ", none absent" : ", " + missing + " absent", missing === 0 ? "" : "bad");
  const [sum, unit] = now === null ? ["–", "weight"] : total(now.edges);
  figure("weight", sum, unit);
  showChanges();
  showMessages();
  place("tab-history").textContent = "History";
  picture.explain(place("legend").querySelector("div"));
  showTableOfTrees();
  showTrouble();
}

/** Of the last hour. The agent's clock dates its trees, and says what time it is. */
function showChanges() {
  const list = metric === "latency" ? history : seen;
  const clockNow = metric === "latency" && activity.length > 0 ? Date.parse(activity.at(-1).at) : Date.now();
  const changes = list.filter(change => change.versionBefore > 0 && clockNow - Date.parse(change.at) < HOUR_MILLIS).length;
  figure("changes", changes === MAX_SEEN ? changes + "+" : changes, "changes an hour", "", changes > 20 ? "bad" : "");
}

function showMessages() {
  const last = activity.at(-1);
  if (last === undefined) {
    return;
  }
  const first = activity[0];
  const seconds = (last.seenAt - first.seenAt) / 1000;
  const a = name => seconds === 0 ? 0 : (last[name] - first[name]) / seconds;
  figure("messages", rate(a("deliveredMessages")), "messages a second", "; " + rate(a("publishedMessages")) + " published here");
  figure("missed", last.missedMessages.toLocaleString("en"), "messages missed",
    last.publishersWaiting > 0 ? "; " + count(last.publishersWaiting, "publisher") + " waiting" : " by subscribers here",
    last.missedMessages > 0 ? "bad" : "");
}

function noteActivity(answer) {
  const last = activity.at(-1);
  if (last !== undefined && (answer.publishedMessages < last.publishedMessages || answer.deliveredMessages < last.deliveredMessages)) {
    // It has restarted.
    activity = [];
  } else if (last !== undefined && past === null) {
    if (answer.publishedMessages > last.publishedMessages) {
      picture.pulse(true);
    } else if (answer.forwardedChunks > last.forwardedChunks) {
      picture.pulse(false);
    }
  }
  activity.push({ ...answer, seenAt: performance.now() });
  activity.splice(0, activity.length - RATE_ANSWERS - 1);
}

function showTableOfTrees() {
  const isLatency = metric === "latency";
  place("history-about").textContent = isLatency
    ? "The latest trees that this agent has committed since it started, by its own clock; with the time that each took, and the "
      + "messages that this agent sent. Click one to see that tree."
    : "The widest trees that this page has seen since it was opened. Edges of this agent show their present weight, others "
      + "the weight at the commit.";
  showHistory(place("history"), isLatency ? history : seen, past?.view.version ?? null, showPast);
}

/** Draws a tree of the history, with what came with it. */
async function showPast(change, index) {
  if (index === 0) {
    backToNow();
    return;
  }
  let tree = change;
  if (change.tree === undefined) {
    try {
      tree = await askOnce("past-tree.json?version=" + change.version);
    } catch {
      tree = null;
    }
  }
  if (tree === null || report === null) {
    place("then").hidden = false;
    place("then").querySelector("span").textContent = "The agent no longer has the tree of version " + change.version + ".";
    return;
  }
  const members = new Set([report.node, ...tree.tree.flatMap(edge => [edge.a, edge.b])]);
  const isMember = tree.tree.length === 0 || tree.tree.some(edge => edge.a === report.node || edge.b === report.node);
  past = {
    change,
    view: {
      metric, edges: tree.tree, node: isMember ? report.node : tree.root, root: tree.root, version: tree.version,
      absent: [...report.absent, ...(edgesOf(report, metric) ?? []).flatMap(edge => [edge.a, edge.b])].filter((id, at, all) => !members.has(id) && all.indexOf(id) === at)
        .sort(byId).map(id => ({ id, words: "not in that tree" })),
      latencyEdges: metric === "latency" ? tree.tree : report.tree ?? [], sites: report.sites, siteMillis: report.siteMillis
    }
  };
  choice = null;
  picture.select(null);
  picture.turnTo(past.view, change);
  place("then").hidden = false;
  place("then").querySelector("span").textContent = "Version " + change.version + ", as it was at " + clock(new Date(change.at));
  document.body.classList.add("past");
  showTableOfTrees();
}

function backToNow() {
  past = null;
  place("then").hidden = true;
  document.body.classList.remove("past");
  turn();
}

/** Draws the tree of now again, or that by another metric. */
function turn() {
  if (report === null) {
    return;
  }
  const now = view();
  if (now === null) {
    showNoTree();
  } else {
    picture.turnTo(now);
  }
  keepChoice();
  showText();
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
    return "No answer from the agent: " + failure + ". The page retries each second.";
  }
  return "No answer from the agent since " + clock(lastAnswer) + ": " + failure
    + ". The page shows its last answer, and retries each second.";
}

/** One round of questions. Each is answered in a few hundred bytes when nothing is new. */
async function look() {
  let answer = await ask("tree.json");
  const trees = await ask("history.json");
  if (answer === null && trees !== null) {
    // A tree came between the two answers.
    answer = await ask("tree.json");
  }
  const newLinks = await ask("links.json");
  const counts = await ask("activity.json");
  const newLabels = await ask("labels.json");
  if (newLabels !== null) {
    labels = newLabels.labels;
    mark();
  }
  if (!place("groups-view").hidden || group !== null) {
    await lookAtGroups();
  }
  if (trees !== null) {
    history = trees.history;
  }
  if (newLinks !== null) {
    links = newLinks.links;
    details.note(links);
  }
  if (answer !== null) {
    showReport(answer);
  } else if (past === null && report !== null && newLinks !== null) {
    // Those that are absent are so for longer now.
    const words = JSON.stringify(absent());
    if (words !== absentWords) {
      absentWords = words;
      const now = view();
      if (now !== null) {
        picture.show(now, null);
      }
    }
  }
  if (counts !== null) {
    noteActivity(counts);
  }
  if (answer === null) {
    if (trees !== null) {
      showTableOfTrees();
    }
    showChanges();
    showMessages();
  }
  if (!place("links-view").hidden && (newLinks !== null)) {
    showLinks(place("links-table"), links, id => choose({ member: id }));
  }
  if (newLinks !== null && !place("details").hidden && !place("details").contains(document.activeElement)) {
    details.refresh();
  }
}

/** The root of the tree knows them. It is asked only while they are shown. */
async function lookAtGroups() {
  if (--groupsRounds > 0) {
    return;
  }
  groupsRounds = GROUPS_ROUNDS;
  try {
    groups = await ask("groups.json") ?? groups;
    if (group !== null) {
      await askGroup(group.path);
    }
    groupsFailure = null;
  } catch (failure) {
    groupsFailure = failure.message;
  }
  showAllGroups();
}

function showAllGroups() {
  place("groups-about").textContent = groupsFailure !== null ? "No list of groups: " + groupsFailure + "."
    : groups.groups.length === 0 ? "No application has joined a group (treecast group join PATH)."
      : "The groups of this tree. Click one to mark its members, and again to unmark them."
        + (groups.more ? " There are more groups: treecast group watch PATH shows one of them." : "");
  showGroups(place("groups"), groups.groups, group?.path ?? null, chooseGroup);
}

async function askGroup(path) {
  const answer = await askOnce("group.json?path=" + encodeURIComponent(path));
  if (group?.path === path) {
    group.members = new Set(answer?.members ?? []);
    mark();
  }
}

/** Marks the members of a group; null for none. A text that is searched gives way. */
async function chooseGroup(path) {
  group = path === null ? null : { path, members: new Set() };
  place("wanted").value = "";
  mark();
  if (path !== null) {
    try {
      await askGroup(path);
      groupsFailure = null;
    } catch (failure) {
      groupsFailure = failure.message;
    }
  }
  showAllGroups();
}

async function lookAgainAndAgain() {
  if (isLooking || document.hidden) {
    return;
  }
  clearTimeout(timer);
  isLooking = true;
  const hadFailed = failure !== null;
  try {
    await look();
    failure = null;
    lastAnswer = new Date();
  } catch (problem) {
    failure = problem.message;
    // Who answers next may be another agent.
    forget();
    if (report === null) {
      picture.clear("No answer yet", "The page asks the agent at " + location.host + " each second.", "calm");
    }
  }
  showTrouble();
  if (hadFailed !== (failure !== null)) {
    showText();
  }
  isLooking = false;
  timer = setTimeout(lookAgainAndAgain, LOOK_MILLIS);
}

const TABS = ["details", "history", "groups", "links"];

function panelOf(tab) {
  return place(tab === "details" ? "details" : tab + "-view");
}

function openTab(name) {
  for (const tab of TABS) {
    panelOf(tab).hidden = tab !== name;
    place("tab-" + tab).setAttribute("aria-selected", String(tab === name));
    place("tab-" + tab).tabIndex = tab === name ? 0 : -1;
  }
  document.body.classList.add("open");
  if (name === "groups") {
    groupsRounds = 0;
    showAllGroups();
  }
  if (name === "links") {
    showLinks(place("links-table"), links, id => choose({ member: id }));
  }
}

function choose(newChoice) {
  choice = newChoice;
  keepChoice();
  if (choice !== null) {
    openTab("details");
  } else if (!place("details").hidden) {
    openTab("history");
    document.body.classList.toggle("open", matchMedia("(min-width: 60rem)").matches);
  }
  const shown = past?.view ?? (report === null ? null : view());
  if (shown !== null) {
    details.show({
      choice, view: shown, isPast: past !== null, select: other => choose(other),
      member: id => picture.member(id), site: id => picture.site(id), labels: labelsOf
    });
  }
}

picture.onChoice = choose;
for (const tab of TABS) {
  place("tab-" + tab).addEventListener("click", () => {
    if (tab === "details" && choice === null) {
      choose(null);
    }
    openTab(tab);
  });
}
place("panel").querySelector("nav").addEventListener("keydown", event => {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (step !== undefined) {
    const at = TABS.findIndex(tab => place("tab-" + tab).getAttribute("aria-selected") === "true");
    const next = TABS[(at + step + TABS.length) % TABS.length];
    openTab(next);
    place("tab-" + next).focus();
  }
});
place("close").addEventListener("click", () => {
  choose(null);
  document.body.classList.remove("open");
});

const view0 = picture.viewport;
const actions = {
  "zoom-in": () => view0.zoomIn(), "zoom-out": () => view0.zoomOut(), fit: () => {
    view0.isFitted = true;
    turnOrRedraw();
  },
  fold: () => place("fold").setAttribute("aria-pressed", String(picture.foldAll()))
};

/** The best arrangement depends on the size of the window. */
function turnOrRedraw() {
  view0.onResize();
  view0.fit();
}

Object.entries(actions).forEach(([id, action]) => place(id).addEventListener("click", action));
place("now").addEventListener("click", backToNow);

/** The labels of a member; its site is one, also if a member of before told it. */
function labelsOf(id) {
  return Object.hasOwn(labels, id) ? labels[id] : report?.sites[id] === undefined ? {} : { site: report.sites[id] };
}

/** Marks what is searched, else the members of the chosen group; returns their ids. */
function mark() {
  const wanted = place("wanted").value.trim();
  let found;
  if (wanted === "") {
    found = picture.mark(group === null ? null : id => group.members.has(id));
  } else if (isSelector(wanted)) {
    const terms = parse(wanted);
    found = picture.mark(id => terms !== null && picture.member(id) !== undefined && matches(terms, id, labelsOf(id)));
  } else {
    found = picture.find(wanted);
  }
  place("found").textContent = wanted === "" ? "" : found.length === 0 ? "none" : String(found.length);
  return found;
}

function search(isGoing) {
  if (group !== null && place("wanted").value.trim() !== "") {
    group = null;
    showAllGroups();
  }
  const found = mark();
  if (isGoing && found.length > 0) {
    picture.lookAt(found[0]);
    choose({ member: found[0] });
  }
}

place("wanted").addEventListener("input", () => search(false));
place("search").addEventListener("submit", event => {
  event.preventDefault();
  search(true);
});

document.addEventListener("keydown", event => {
  const isTyping = event.target.tagName === "INPUT" && event.target.type === "search";
  if (event.key === "Escape") {
    if (isTyping) {
      place("wanted").value = "";
      search(false);
      place("wanted").blur();
    } else if (group !== null) {
      chooseGroup(null);
    } else if (choice !== null) {
      choose(null);
    } else if (past !== null) {
      backToNow();
    } else {
      document.body.classList.remove("open");
    }
    return;
  }
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey) {
    return;
  }
  const action = {
    "/": () => place("wanted").focus(), f: actions.fit, F: actions.fit, "+": actions["zoom-in"], "=": actions["zoom-in"],
    "-": actions["zoom-out"], s: actions.fold, S: actions.fold
  }[event.key];
  if (action !== undefined) {
    event.preventDefault();
    action();
  }
});

document.addEventListener("visibilitychange", lookAgainAndAgain);
place("metrics").addEventListener("change", event => {
  metric = event.target.value;
  past = null;
  place("then").hidden = true;
  document.body.classList.remove("past");
  choice = null;
  turn();
});
new ResizeObserver(() => {
  const { height } = view0.size();
  const legend = place("legend").offsetHeight;
  view0.below = legend < height / 4 ? legend : 0;
  refit();
}).observe(place("legend"));

function refit() {
  if (view0.isFitted) {
    view0.onResize();
  }
}

if (matchMedia("(min-width: 60rem)").matches) {
  document.body.classList.add("open");
} else {
  place("legend").open = false;
}
lookAgainAndAgain();
