import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const RUNNER = join(__dirname, '../../dist/activities/adapters/process.js');

/** A process that runs a command for ever. */
const HOLDER = `
const { GroupProcessRunner } = require(${JSON.stringify(RUNNER)});
const shell = '{ echo ready; sleep 300 & sleep 300; } > "$FIFO"';
const request = { command: { shell }, env: { FIFO: process.argv[1] }, outputLimitBytes: 1000 };
new GroupProcessRunner().run(request, new AbortController().signal);
`;

describe('a command whose worker is killed by SIGKILL', () => {
  it('is killed with everything it started', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'thermidor-lifeline-'));
    const fifo = join(folder, 'fifo');
    spawnSync('mkfifo', [fifo]);
    const holder = spawn(process.execPath, ['-e', HOLDER, fifo], { stdio: 'ignore' });
    try {
      // Both sleeps hold the fifo open: reading it comes to an end when the last of them is gone.
      const file = await open(fifo, 'r');
      const lines = file.readLines()[Symbol.asyncIterator]();
      await expect(lines.next()).resolves.toMatchObject({ value: 'ready' });
      holder.kill('SIGKILL');
      await once(holder, 'exit');
      await expect(lines.next()).resolves.toMatchObject({ done: true });
    } finally {
      holder.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
