'use strict';

// Broadcasts a greeting, and prints it as it comes back from the tree.
// Usage: node example.js HOST:PORT

let Treecast;
try {
  ({ Treecast } = require('./treecast'));
} catch (error) {
  if (error.code !== 'MODULE_NOT_FOUND') {
    throw error;
  }
  console.error(`${error.message.split('\n')[0]}; run 'npm install' in ${__dirname} first`);
  process.exit(1);
}

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
