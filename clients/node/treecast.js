'use strict';

// A small Treecast client. docs/other-languages.md explains the rules that it follows.

const { randomUUID } = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');
const grpc = require('@grpc/grpc-js');
const protoLoader = require('@grpc/proto-loader');

// In a checkout, or in the archive.
const PROTOS =
  process.env.TREECAST_PROTOS ||
  ['../../proto/src/main/proto', '../../proto']
    .map((folder) => path.join(__dirname, folder))
    .find((folder) => fs.existsSync(path.join(folder, 'treecast')));
const PIECE_BYTES = 64 * 1024;
const FIRST_PAUSE_MILLIS = 100;
const LONGEST_PAUSE_MILLIS = 5_000;

const definitions = protoLoader.loadSync('treecast/v1/client.proto', {
  includeDirs: [PROTOS],
  longs: String,
  enums: String,
  defaults: true,
  oneofs: true,
});
const { treecast } = grpc.loadPackageDefinition(definitions);
const RequestPayload = definitions['treecast.v1.RequestPayload'];
const ReplyPayload = definitions['treecast.v1.ReplyPayload'];

const pause = (millis) => new Promise((resolve) => setTimeout(resolve, millis));

// Reasons of refusals that another attempt cannot change, and of requests that the agent certainly has not accepted.
const PERMANENT = [
  'REFUSAL_REASON_INVALID_REQUEST',
  'REFUSAL_REASON_TOO_MANY_TOPICS',
  'REFUSAL_REASON_PERMISSION_DENIED',
];
const NOT_ACCEPTED = [
  ...PERMANENT,
  'REFUSAL_REASON_PAYLOAD_TOO_LARGE',
  'REFUSAL_REASON_NO_ROOM',
  'REFUSAL_REASON_NO_TREE',
  'REFUSAL_REASON_SHUTTING_DOWN',
];
const UNAVAILABLE = ['REFUSAL_REASON_NO_TREE', 'REFUSAL_REASON_SHUTTING_DOWN'];
const KNOWN = Object.values(treecast.v1.RefusalReason.type.value).map(({ name }) => name);
const UNSPECIFIED = 'REFUSAL_REASON_UNSPECIFIED';

/** Returns the agent's reason; REFUSAL_REASON_UNSPECIFIED if it is unknown or the agent stated none. */
function reasonOf(error) {
  const [name] = error.metadata?.get('treecast-refusal-reason') ?? [];
  return KNOWN.includes(name) ? name : UNSPECIFIED;
}

/** Returns whether another attempt may succeed. Without a reason of the agent, gRPC's code decides. */
function isUnavailable(error) {
  const reason = reasonOf(error);
  return reason === UNSPECIFIED ? error.code === grpc.status.UNAVAILABLE : UNAVAILABLE.includes(reason);
}

/**
 * A call failed. `reason` is the agent's, `code` is gRPC's; `mayHaveHappened` says whether the request may have taken
 * effect all the same.
 */
class TreecastError extends Error {
  constructor(message, code, mayHaveHappened, reason = UNSPECIFIED) {
    super(message);
    this.name = 'TreecastError';
    this.code = code;
    this.reason = reason;
    this.mayHaveHappened = mayHaveHappened;
  }

  /** The failure of a call of gRPC; `lost` says whether an attempt may have taken effect without an answer. */
  static of(error, lost = false) {
    const reason = reasonOf(error);
    return new TreecastError(error.details, error.code, lost || !NOT_ACCEPTED.includes(reason), reason);
  }
}

/** Returns a decoded payload; undefined if another program uses the topic. */
function decoded(type, payload) {
  try {
    return type.deserialize(payload);
  } catch {
    return undefined;
  }
}

/** The name of the stream that a message belongs to; messages of one stream arrive in the order of their sequence. */
function streamOf(id) {
  return `${id.origin}/${id.incarnation}/${id.lane}/${id.topic}`;
}

/** A connection to one agent. */
class Treecast {
  #stub;
  #closed = false;
  #subscriptions = new Set();
  #replyTopic = `reply/${randomUUID()}`;
  #replies;
  #pending = new Map(); // What waits for a reply, by the id of the request.

  /**
   * Connects; returns at once.
   * @param {string} agent HOST:PORT
   * @param {grpc.ChannelCredentials} [credentials] for TLS: grpc.credentials.createSsl(ca, key, certificate)
   */
  constructor(agent, credentials = grpc.credentials.createInsecure()) {
    this.#stub = new treecast.v1.TreecastService(agent, credentials, {
      'grpc.max_receive_message_length': 16 * 1024 * 1024,
    });
  }

  /**
   * Broadcasts a payload to all subscribers of a topic. Resolves when the agent has accepted it.
   * Sends the request again, under the same token, when the connection is lost: it is broadcast once.
   */
  async broadcast(payload, { topic = '', waitMillis = 30_000, replicas = 0, confirmMillis = 0 } = {}) {
    const request = { payload, topic, waitMillis, replicas, confirmMillis, retryToken: randomUUID() };
    return this.#retried('Broadcast', request, waitMillis, (first) => ({
      ...request,
      tokenAgeMillis: first === undefined ? 0 : Date.now() - first + 1,
    }));
  }

  /** Resolves to the members that delivered a broadcast which was sent with `confirmMillis`. */
  confirmation(messageId) {
    return new Promise((resolve, reject) => {
      this.#stub.AwaitConfirmation({ messageId }, (error, answer) =>
        error ? reject(TreecastError.of(error)) : resolve(answer),
      );
    });
  }

  /** Broadcasts the bytes of an (async) iterable of buffers, such as a file's stream, of any size. */
  async upload(source, { topic = '', waitMillis = 30_000 } = {}) {
    let call;
    const answer = new Promise((resolve, reject) => {
      call = this.#stub.Upload((error, result) =>
        error ? reject(TreecastError.of(error)) : resolve(result.broadcast),
      );
    });
    answer.catch(() => {});
    // The agent takes pieces as fast as the members do: wait whenever the call's buffer is full.
    const write = (message) =>
      call.write(message)
        ? undefined
        : Promise.race([new Promise((resolve) => call.once('drain', resolve)), answer]);
    try {
      await write({ begin: { topic, waitMillis } });
      for await (const buffer of source) {
        for (let from = 0; from < buffer.length; from += PIECE_BYTES) {
          await write({ piece: buffer.subarray(from, from + PIECE_BYTES) });
        }
      }
      await write({ end: {} });
      call.end();
    } catch (error) {
      call.cancel(); // Without an end the agent abandons the broadcast.
      throw error;
    }
    return answer;
  }

  /**
   * Subscribes; see Subscription. `positions` are those of an earlier subscription, to go on after them.
   * `onFailed(error)` is called if the agent refuses the subscription for good, also after it was in place.
   */
  subscribe(onMessage, { topics = [''], retained = false, positions, onMissed = () => {}, onFailed = () => {} } = {}) {
    return this.#subscribe({ onMessage, onMissed, onFailed, topics, retained, positions });
  }

  #subscribe(options) {
    const subscription = new Subscription(this.#stub, options, () => this.#subscriptions.delete(subscription));
    this.#subscriptions.add(subscription);
    return subscription;
  }

  #subscribeToRequests(onMessage, ...topics) {
    const ignore = () => {};
    return this.#subscribe({ onMessage, onMissed: ignore, onFailed: ignore, topics, whenSlow: 'WHEN_SLOW_CATCH_UP' });
  }

  /**
   * Sends a request to the server of a name at one member; resolves to its answer, and rejects if the server fails or
   * does not answer in time. docs/requests.md has the rules.
   */
  async request(member, service, payload, { timeoutMillis = 5_000 } = {}) {
    const deadline = Date.now() + timeoutMillis;
    // There is none yet, or it was refused.
    if (!this.#subscriptions.has(this.#replies)) {
      this.#replies = this.#subscribeToRequests((message) => this.#replied(message), this.#replyTopic, 'reply');
    }
    await this.#replies.waitUntilReady(timeoutMillis);
    const id = `${this.#replyTopic}-${randomUUID()}`;
    const request = { id, replyTopic: this.#replyTopic, timeoutMillis, receivers: [member], payload };
    let timer;
    const answer = new Promise((resolve, reject) => {
      this.#pending.set(id, resolve);
      timer = setTimeout(() => {
        const why = `${member} has not answered a request of '${service}' in ${timeoutMillis} ms`;
        reject(new TreecastError(why, grpc.status.DEADLINE_EXCEEDED, true));
      }, deadline - Date.now());
    });
    answer.catch(() => {});
    try {
      await this.broadcast(RequestPayload.serialize(request), {
        topic: `request/${service}`,
        waitMillis: Math.max(0, deadline - Date.now()),
      });
      const { origin, reply } = await answer;
      if (reply.outcome === 'error') {
        throw new TreecastError(`'${service}' at ${origin} failed: ${reply.error}`, undefined, true);
      }
      return reply.payload;
    } finally {
      clearTimeout(timer);
      this.#pending.delete(id);
    }
  }

  #replied({ id, payload }) {
    const reply = decoded(ReplyPayload, payload);
    this.#pending.get(reply?.id)?.({ origin: id.origin, reply });
  }

  /**
   * Answers requests to this member by the service's name with `handler({ origin, payload })`, which returns a buffer
   * or a promise of one. Resolves to `{ member, close() }` when the service is in place.
   */
  async serve(service, handler, { waitMillis = 30_000 } = {}) {
    const topic = `request/${service}`;
    let turn = Promise.resolve(); // One request at a time.
    let member;
    const onMessage = (message) => {
      turn = turn.then(() => this.#answer(message, member, handler)).catch(() => {});
    };
    const toSeveral = this.#subscribeToRequests(onMessage, topic);
    await toSeveral.waitUntilReady(waitMillis);
    member = toSeveral.member;
    const toMember = this.#subscribeToRequests(onMessage, `${topic}/${member}`);
    await toMember.waitUntilReady(waitMillis);
    return { member, close: () => [toSeveral, toMember].forEach((subscription) => subscription.close()) };
  }

  async #answer({ id, payload, publishedUnixMillis }, member, handler) {
    const request = decoded(RequestPayload, payload);
    const timeoutMillis = Number(request?.timeoutMillis);
    const isLate = publishedUnixMillis > 0 && publishedUnixMillis + timeoutMillis < Date.now();
    if (!request?.receivers.includes(member) || isLate || !/^reply(\/|$)/.test(request.replyTopic)) {
      return;
    }
    const reply = { id: request.id };
    try {
      reply.payload = await handler({ origin: id.origin, payload: request.payload });
    } catch (error) {
      reply.error = String(error); // The requester gets it.
    }
    const send = (topic) => this.broadcast(ReplyPayload.serialize(reply), { topic, waitMillis: timeoutMillis });
    await send(request.replyTopic).catch((error) => {
      if (error.reason === 'REFUSAL_REASON_TOO_MANY_TOPICS') {
        return send('reply');
      }
      throw error;
    });
  }

  /** Sums vectors of numbers of all members; `participants` names those that must take part. */
  async sum(name, elements, { participants = [], waitMillis = 30_000 } = {}) {
    const packed = Buffer.alloc(8 * elements.length);
    elements.forEach((element, i) => packed.writeDoubleLE(element, 8 * i));
    const result = await this.#takePart(
      { name, kind: 'COLLECTIVE_KIND_REDUCE', reduction: 'REDUCTION_SUM_OF_DOUBLES', participants },
      { vector: { type: 'ELEMENT_TYPE_DOUBLE', elements: packed } },
      waitMillis,
    );
    const total = result.value.vector.elements;
    return Array.from({ length: total.length / 8 }, (_, i) => total.readDoubleLE(8 * i));
  }

  /** Resolves when all members, or all participants, have arrived at the barrier of this name. */
  async barrier(name, { participants = [], waitMillis = 30_000 } = {}) {
    await this.#takePart({ name, kind: 'COLLECTIVE_KIND_BARRIER', participants }, undefined, waitMillis);
  }

  async #takePart(operation, contribution, waitMillis) {
    const request = { operation, contribution, waitMillis, token: randomUUID() };
    const answer = await this.#retried('TakePart', request, waitMillis, () => request);
    if (answer.outcome === 'failure') {
      throw new TreecastError(`${answer.failure.reason}: ${answer.failure.text}`, undefined, true);
    }
    return answer.result;
  }

  /** Calls again with the same token while the agent cannot be reached, for as long as the caller waits. */
  async #retried(method, request, waitMillis, attempt) {
    const deadline = Date.now() + waitMillis;
    let first;
    let lost = false; // Whether an attempt ended without the agent's word.
    if (this.#closed) {
      throw new TreecastError('the client is closed', grpc.status.CANCELLED, false);
    }
    for (let millis = FIRST_PAUSE_MILLIS; ; millis = Math.min(2 * millis, LONGEST_PAUSE_MILLIS)) {
      const message = attempt(first);
      first ??= Date.now();
      try {
        return await new Promise((resolve, reject) => {
          this.#stub[method](message, { deadline: deadline + 2_000 }, (error, answer) =>
            error ? reject(error) : resolve(answer),
          );
        });
      } catch (error) {
        if (!isUnavailable(error) || Date.now() + millis >= deadline || this.#closed) {
          throw TreecastError.of(error, lost);
        }
        lost ||= reasonOf(error) === UNSPECIFIED;
        await pause(millis);
      }
    }
  }

  /** Ends all subscriptions and the connection. */
  close() {
    this.#closed = true;
    this.#subscriptions.forEach((subscription) => subscription.close());
    this.#stub.close();
  }
}

/**
 * Calls `onMessage({ id, payload })` for each message, in the order of each stream, once. When the call is lost it
 * begins another one after the last message of each stream, so nothing is lost or doubled. `ready` resolves when the
 * subscription is in place: later broadcasts arrive.
 */
class Subscription {
  #stub;
  #options;
  #onEnd;
  #call;
  #closed = false;
  #begun;
  #last = new Map(); // The last message of each stream.
  #unfinished = new Map(); // The chunks of each stream's message that has begun.
  #pauseMillis = FIRST_PAUSE_MILLIS;
  #lastError;

  constructor(stub, options, onEnd) {
    this.#stub = stub;
    this.#options = options;
    this.#onEnd = onEnd;
    (options.positions || []).forEach((id) => this.#last.set(streamOf(id), id));
    this.ready = new Promise((resolve, reject) => {
      this.#begun = { resolve, reject, done: false };
    });
    this.ready.catch(() => {});
    this.#open();
  }

  /** Resolves when the subscription is in place, and rejects if that takes longer or cannot be. */
  waitUntilReady(millis = 30_000) {
    let timer;
    const late = new Promise((_, reject) => {
      timer = setTimeout(() => {
        const why = this.#lastError || 'the agent has no tree yet, or not all members have answered';
        reject(new TreecastError(`the subscription is not in place yet: ${why}`, grpc.status.DEADLINE_EXCEEDED, false));
      }, millis);
    });
    return Promise.race([this.ready, late]).finally(() => clearTimeout(timer));
  }

  /** The last message of each stream, as JSON can store it. A subscription after these goes on where this one is. */
  get positions() {
    return [...this.#last.values()];
  }

  close() {
    this.#closed = true;
    this.#call.cancel();
    this.#begun.reject(new TreecastError('the subscription was closed', grpc.status.CANCELLED, false));
    this.#onEnd();
  }

  #open() {
    const resumes = this.#begun.done || this.#options.positions !== undefined;
    this.#unfinished.clear();
    this.#call = this.#stub.Subscribe({
      start: resumes
        ? 'SUBSCRIPTION_START_AFTER'
        : this.#options.retained
          ? 'SUBSCRIPTION_START_RETAINED'
          : 'SUBSCRIPTION_START_NOW',
      after: resumes ? this.positions : [],
      topics: this.#options.topics,
      whenSlow: this.#options.whenSlow,
    });
    this.#call.on('data', (response) => response.events.forEach((event) => this.#accept(event)));
    this.#call.on('error', (error) => this.#lost(error));
    this.#call.on('end', () => this.#lost({ code: grpc.status.UNAVAILABLE, details: 'the agent ended the call' }));
  }

  #accept(event) {
    if (this.#closed) {
      return;
    }
    switch (event.event) {
      case 'subscribed':
        this.member = event.subscribed.nodeId;
        break;
      case 'began':
        this.#pauseMillis = FIRST_PAUSE_MILLIS;
        if (!this.#begun.done) {
          event.began.after.forEach((id) => this.#last.set(streamOf(id), id));
          this.#begun.done = true;
          this.#begun.resolve();
        }
        break;
      case 'chunk':
        this.#chunk(event.chunk);
        break;
      case 'missed': {
        const { origin, incarnation, topic, lane, lastSequence } = event.missed;
        const id = { origin, incarnation, topic, lane, sequence: lastSequence };
        this.#unfinished.delete(streamOf(id));
        this.#options.onMissed(event.missed);
        this.#last.set(streamOf(id), id);
        break;
      }
      case 'abandoned':
        this.#unfinished.delete(streamOf(event.abandoned.messageId));
        break;
      default: // Live, and what later agents may add.
    }
  }

  #chunk({ messageId, payload, last, publishedUnixMillis }) {
    const stream = streamOf(messageId);
    const chunks = this.#unfinished.get(stream) || [];
    chunks.push(payload);
    if (!last) {
      this.#unfinished.set(stream, chunks);
      return;
    }
    this.#unfinished.delete(stream);
    this.#options.onMessage({
      id: messageId,
      payload: Buffer.concat(chunks),
      publishedUnixMillis: Number(publishedUnixMillis), // By this agent's clock; 0 if unknown.
    });
    this.#last.set(stream, messageId); // After the handler: if it throws, the message comes again.
  }

  #lost(error) {
    if (this.#closed || this.#call === undefined) {
      return;
    }
    this.#lastError = error.details;
    this.#call.removeAllListeners();
    this.#call.on('error', () => {});
    if (PERMANENT.includes(reasonOf(error))) {
      this.#closed = true;
      const failure = TreecastError.of(error);
      this.#begun.reject(failure);
      this.#onEnd();
      this.#options.onFailed(failure);
      return;
    }
    this.#call = { cancel() {} };
    setTimeout(() => {
      if (!this.#closed) {
        this.#open();
      }
    }, this.#pauseMillis);
    this.#pauseMillis = Math.min(2 * this.#pauseMillis, LONGEST_PAUSE_MILLIS);
  }
}

module.exports = { Treecast, TreecastError, credentials: grpc.credentials };
