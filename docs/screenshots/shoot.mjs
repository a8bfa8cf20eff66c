// Takes the pictures, in Chromium: node shoot.mjs PAGE AGENT TREECAST DIRECTORY. Run by ./make.
import { execFile, spawn } from "node:child_process";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { chromium } from "playwright-core";

const [page, agent, treecast, directory] = process.argv.slice(2);
const FRAME_MILLIS = 500;
const MOST_WAITING = 14;
const GIVE_UP = 600;
const run = promisify(execFile);
const command = (...words) => run(treecast, [...words, "--agent", agent]);

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync"]
});

async function open(width, height, colorScheme) {
  const opened = await browser.newPage({ viewport: { width, height }, colorScheme });
  await opened.goto(page);
  await opened.waitForSelector(".member");
  await opened.waitForTimeout(1500);
  return opened;
}

/** The tree as the agent says it. */
async function tree() {
  return (await fetch(page + "tree.json")).json();
}

// Labels and groups, as applications of the members would have them.
const { members } = JSON.parse((await command("members", "--output", "json")).stdout);
const labels = members.filter((_, index) => index % 3 === 0)
  .map((member, index) => `${member.address} gpu=${index % 2 === 0 ? 8 : 4} fw=2.${index % 4}`);
const applications = [spawn("java", ["-cp", `${dirname(treecast)}/cli/target/treecast-all.jar`, `${directory}/Labels.java`, ...labels],
  { stdio: ["ignore", "ignore", "inherit"] })];
members.filter((_, index) => index % 4 === 0).forEach((member, index) => applications.push(spawn(treecast,
  ["group", "join", index % 2 === 0 ? "trainers/east" : "trainers/west", "--agent", member.address], { stdio: "ignore" })));
const end = () => applications.forEach(application => application.kill());
process.on("exit", end);

const light = await open(1280, 800, "light");
await light.screenshot({ path: directory + "/live-page.png" });
await light.click("#tab-groups");
await light.waitForFunction(() => document.querySelector("#groups .sum")?.textContent === "6 members", null, { timeout: 120000 });
await light.click('#groups [data-path="trainers"]');
await light.waitForTimeout(1000);
await light.screenshot({ path: directory + "/live-page-groups.png" });
await light.close();

const self = (await tree()).node;
const edges = (await tree()).tree;
const dark = await open(1280, 1000, "dark");
// A neighbour whose link this agent measures: one with labels if there is one, and in another site.
const labelled = link => labels.some(words => words.startsWith(link.address + " "));
const measured = (await (await fetch(page + "links.json")).json()).links
  .filter(link => link.treeEdge && link.measuredMillis !== null)
  .sort((one, other) => labelled(other) - labelled(one) || other.weightMillis - one.weightMillis)[0];
await dark.click(`.member[data-id="${measured?.peer ?? self}"]`);
await dark.waitForTimeout(20000);
await dark.screenshot({ path: directory + "/live-page-dark.png" });
await dark.close();
end();

const telephone = await open(390, 780, "light");
await telephone.screenshot({ path: directory + "/live-page-telephone.png" });
await telephone.close();

// A cut and its repair: all links between two sites are cut. Those that are not in the tree are cut before the film begins.
const { sites } = await tree();
const cut = edges.filter(edge => sites[edge.a] !== sites[edge.b]).sort((one, other) => one.weightMillis - other.weightMillis)[0];
const ends = [sites[cut.a], sites[cut.b]].map(site => Object.keys(sites).filter(id => sites[id] === site));
const others = ends[0].flatMap(one => ends[1].map(other => one + "-" + other))
  .filter(link => link !== cut.a + "-" + cut.b && link !== cut.b + "-" + cut.a);
console.error(`make: cutting ${others.length} links of sites ${sites[cut.a]} and ${sites[cut.b]}`);
while (others.length > 0) {
  await Promise.all(others.splice(0, 3).map(link => command("fault", "cut", link)));
}

const film = await open(1200, 680, "light");
await film.click("#close");
await film.click("#legend summary");
await film.waitForTimeout(1200);
let frames = 0;
const shoot = async () => {
  const begun = Date.now();
  await film.screenshot({ path: `${directory}/frame-${String(frames++).padStart(3, "0")}.png` });
  await film.waitForTimeout(Math.max(0, FRAME_MILLIS - (Date.now() - begun)));
};
const shootMore = async count => {
  for (let left = count; left > 0; left--) {
    await shoot();
  }
};
/** The film leaves out what is more than some seconds of waiting. */
const shootUntil = async isDone => {
  for (let waited = 0; !await isDone(); waited++) {
    if (waited > GIVE_UP) {
      throw new Error("the tree does not change");
    }
    if (waited < MOST_WAITING) {
      await shoot();
    } else {
      await film.waitForTimeout(FRAME_MILLIS);
    }
  }
};
const isDirect = edge => ends[0].includes(edge.a) && ends[1].includes(edge.b) || ends[0].includes(edge.b) && ends[1].includes(edge.a);
const isWholeAndDirect = wanted => async () => {
  const now = (await tree()).tree;
  return now.length === edges.length && now.some(isDirect) === wanted;
};
await shootMore(4);
const cutting = command("fault", "cut", cut.a + "-" + cut.b);
await shootUntil(isWholeAndDirect(false));
await cutting;
await shootMore(8);
const healing = command("fault", "heal");
await shootUntil(isWholeAndDirect(true));
await healing;
await shootMore(8);
console.error(`make: ${frames} frames`);
await browser.close();
