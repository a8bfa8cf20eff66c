'use strict';

// Checks the client against two agents of one cluster: node check.js HOST:PORT HOST:PORT
// Prints 'down?' when the first agent is to stop and 'up?' when it is to start again, and goes on after a line of input.

const assert = require('node:assert/strict');
const readline = require('node:readline');
const { Treecast } = require('./treecast');

const lines = readline.createInterface({ input: process.stdin })[Symbol.asyncIterator]();

async function ask(question) {
  console.log(question);
  await lines.next();
}

async function until(condition) {
  for (let tries = 0; !condition(); tries++) {
    assert.ok(tries < 600, `not within a minute: ${condition}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function inbox(treecast, options) {
  const texts = [];
  const subscription = treecast.subscribe(({ payload }) => texts.push(payload.toString()), options);
  return { texts, subscription };
}

async function main() {
  const [first, second] = process.argv.slice(2).map((agent) => new Treecast(agent));
  const all = inbox(first);
  const prices = inbox(second, { topics: ['prices'] });
  await Promise.all([all.subscription.waitUntilReady(60_000), prices.subscription.waitUntilReady(60_000)]);

  const sent = await second.broadcast(Buffer.from('one'), { confirmMillis: 20_000 });
  const confirmation = await second.confirmation(sent.messageId);
  assert.equal(confirmation.delivered.length, 2);
  assert.deepEqual(confirmation.unknown, []);
  await first.broadcast(Buffer.from('cheap'), { topic: 'prices', replicas: 1 });
  await until(() => prices.texts.length === 1);
  assert.deepEqual(prices.texts, ['cheap']);
  await until(() => all.texts.length === 1);
  assert.deepEqual(all.texts, ['one']);

  const large = Buffer.alloc(1_000_000, 'x');
  await second.upload([large.subarray(0, 300_001), large.subarray(300_001)]);
  await until(() => all.texts.length === 2);
  assert.equal(all.texts[1], large.toString());
  all.texts.pop();

  async function* failing() {
    yield large;
    throw new Error('the disk is gone');
  }
  await assert.rejects(second.upload(failing()), /the disk is gone/);

  const sums = await Promise.all([first.sum('total', [1, 0.5]), second.sum('total', [2, 0.25])]);
  assert.deepEqual(sums, [[3, 0.75], [3, 0.75]]);
  await Promise.all([first.barrier('all here'), second.barrier('all here')]);

  const double = ({ payload }) => {
    assert.ok(payload.length > 0);
    return Buffer.concat([payload, payload]);
  };
  const servers = await Promise.all([first, second].map((member) => member.serve('double', double)));
  const asked = (member, text) => first.request(member, 'double', Buffer.from(text), { timeoutMillis: 20_000 });
  assert.equal((await asked(servers[1].member, 'ab')).toString(), 'abab');
  assert.equal((await asked(servers[0].member, 'c')).toString(), 'cc');
  await assert.rejects(asked(servers[1].member, ''), { name: 'TreecastError' });
  await assert.rejects(first.request('nobody', 'double', Buffer.from('x'), { timeoutMillis: 3_000 }), { code: 4 });
  servers.forEach((server) => server.close());

  await assert.rejects(first.broadcast(Buffer.from('x'), { topic: 'a\nb' }), {
    reason: 'REFUSAL_REASON_INVALID_REQUEST',
    mayHaveHappened: false,
  });

  const invalid = { reason: 'REFUSAL_REASON_INVALID_REQUEST', mayHaveHappened: false };
  const failures = [];
  const refused = inbox(first, { topics: ['a\nb'], onFailed: (error) => failures.push(error.reason) });
  await assert.rejects(refused.subscription.waitUntilReady(60_000), invalid);
  await assert.rejects(first.upload([Buffer.from('x')], { topic: 'a\nb' }), invalid);
  assert.deepEqual(failures, [invalid.reason]);

  await ask('down?');
  await second.broadcast(Buffer.from('two'));
  await ask('up?');
  await second.broadcast(Buffer.from('three'));
  await until(() => all.texts.length === 3);
  assert.deepEqual(all.texts, ['one', 'two', 'three']);

  const { positions } = all.subscription;
  all.subscription.close();
  await second.broadcast(Buffer.from('four'));
  const resumed = inbox(first, { positions });
  await until(() => resumed.texts.length === 1);
  assert.deepEqual(resumed.texts, ['four']);

  first.close();
  await assert.rejects(first.broadcast(Buffer.from('x')), { code: 1, mayHaveHappened: false });
  second.close();
  console.log('ok');
  process.exit(0);
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
