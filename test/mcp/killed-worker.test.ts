import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { constants, open } from 'node:fs/promises';
import { join } from 'node:path';
import { scratchFolder } from '../activities/workshop';

const DIST = join(__dirname, '../../dist/activities/adapters');

/** A process that opens a server which does not end by itself. */
const HOLDER = `
const { McpToolServers } = require(${JSON.stringify(join(DIST, 'mcp/tool-servers.js'))});
const { LocalSecrets } = require(${JSON.stringify(join(DIST, 'secrets.js'))});
const [server, fifo] = process.argv.slice(1);
const spec = { kind: 'stdio', command: [process.execPath, server, 'stays', fifo] };
const servers = new McpToolServers({ odd: spec }, new LocalSecrets());
servers.open('odd', { cwd: process.cwd(), log() {} }, new AbortController().signal).then(() => console.log('open'));
setInterval(() => 0, 1000);
`;

test('a server whose worker is killed by SIGKILL is killed with everything it started', async () => {
  const fifo = join(scratchFolder(), 'fifo');
  spawnSync('mkfifo', [fifo]);
  const holder = spawn(process.execPath, ['-e', HOLDER, join(__dirname, 'odd-server.cjs'), fifo], { stdio: ['ignore', 'pipe', 'inherit'] });
  // A reader of the fifo waits for a writer. If none comes, this one lets the reader continue.
  holder.once('exit', () =>
    open(fifo, constants.O_WRONLY | constants.O_NONBLOCK).then(
      (end) => end.close(),
      () => undefined,
    ),
  );
  const ended = once(holder, 'exit').then(([code]) => Promise.reject(new Error(`the worker ended by itself, with ${code}`)));
  ended.catch(() => undefined);
  try {
    const held = await open(fifo, 'r');
    await Promise.race([once(holder.stdout, 'data'), ended]);
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    // The server and its child hold the fifo open: the read ends when the last of them is gone.
    await expect(held.readFile('utf8')).resolves.toBe('');
    await held.close();
  } finally {
    holder.kill('SIGKILL');
  }
});
