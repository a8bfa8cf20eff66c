// Asks the agent for its pages, one at a time, and nothing that is here already.

/** An agent that takes longer does not answer; its own limit for a page is 2 s. */
const PATIENCE_MILLIS = 5000;

/** By path, the tag of what was answered last. */
const tags = new Map();

/**
 * The content of a page that is asked for again and again; null if it is the same as the last time.
 * Throws an Error whose message says, for a person, why there is no answer.
 */
export async function ask(path) {
  const tag = tags.get(path);
  const answer = await answered(path, tag === undefined ? {} : { "If-None-Match": tag });
  if (answer.status === 304) {
    return null;
  }
  if (answer.status !== 200) {
    throw new Error(answer.content.trim());
  }
  const read = JSON.parse(answer.content);
  tags.set(path, answer.tag);
  return read;
}

/** The content of a page that is asked for once; null if the agent has no such page, as for a link that is gone. */
export async function askOnce(path) {
  const answer = await answered(path, {});
  if (answer.status === 404) {
    return null;
  }
  if (answer.status !== 200) {
    throw new Error(answer.content.trim());
  }
  return JSON.parse(answer.content);
}

async function answered(path, headers) {
  let answer;
  try {
    answer = await fetch(path, { headers, cache: "no-store", signal: AbortSignal.timeout(PATIENCE_MILLIS) });
    return { status: answer.status, content: await answer.text(), tag: answer.headers.get("ETag") };
  } catch (failure) {
    if (failure.name === "TimeoutError") {
      throw new Error("it timed out after " + PATIENCE_MILLIS / 1000 + " s");
    }
    // What a browser says of a connection that failed differs, and tells no more.
    throw new Error("no agent answers at " + location.host);
  }
}

/** What was answered is gone: the next answers are whole. */
export function forget() {
  tags.clear();
}
