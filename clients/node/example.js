'use strict';

// Broadcasts a greeting, prints it as it comes back from the tree, and sums a number over all members.
// Usage: node example.js HOST:PORT

const { Treecast } = require('./treecast');

async function main() {
  const treecast = new Treecast(process.argv[2] || '127.0.0.1:7700');
  let received;
  const arrival = new Promise((resolve) => (received = resolve));
  const subscription = treecast.subscribe(({ id, payload }) => {
    console.log(`${id.origin}#${id.sequence} ${payload}`);
    received();
  });
  await subscription.waitUntilReady(10_000);
  const sent = await treecast.broadcast(Buffer.from('hello from Node'));
  console.log(`accepted on tree version ${sent.treeVersion}`);
  await arrival;
  treecast.close();
}

main().catch((error) => {
  console.error(error.message);
  process.exit(1);
});
