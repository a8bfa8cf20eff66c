// Asks the agent for its pages, one at a time, and nothing that is here already.

/** An agent that takes longer does not answer; its own limit for a page is 2 s. */
const PATIENCE_MILLIS = 5000;

/** By path, the tag of what was answered last. */
const tags = new Map();

/**
 * The content of a page; null if it is the same as the last time.
 * Throws an Error whose message says, for a person, why there is no answer.
 */
export async function ask(path) {
  const tag = tags.get(path);
  let answer;
  try {
    answer = await fetch(path, {
      headers: tag === undefined ? {} : { "If-None-Match": tag },
      cache: "no-store",
      signal: AbortSignal.timeout(PATIENCE_MILLIS)
    });
    const content = await answer.text();
    if (answer.status === 304) {
      return null;
    }
    if (!answer.ok) {
      throw new Error(content.trim());
    }
    const read = JSON.parse(content);
    tags.set(path, answer.headers.get("ETag"));
    return read;
  } catch (failure) {
    if (failure.name === "TimeoutError") {
      throw new Error("it has taken longer than " + PATIENCE_MILLIS / 1000 + " s");
    }
    // What a browser says of a connection that failed differs, and tells no more.
    throw answer === undefined || failure instanceof TypeError
      ? new Error("nobody can be reached at " + location.host)
      : failure;
  }
}

/** What was answered is gone: the next answers are whole. */
export function forget() {
  tags.clear();
}
