import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { scratchFolder } from '../support/scratch-folder';

const built = (name: string) => JSON.stringify(join(__dirname, '../../dist/activities/adapters', name));

/** A process that runs a command forever. */
const COMMAND = `
const { GroupProcessRunner } = require(${built('processes/process-runner.js')});
const shell = '{ echo ready; sleep 300 & sleep 300; } > "$FIFO"';
const request = { command: { shell }, env: { FIFO: process.argv[1] }, outputLimitBytes: 1000 };
new GroupProcessRunner().run(request, new AbortController().signal);
`;

/** The same command in a program that clears its environment, and leaves its group and its folder. */
const AWAY = COMMAND.replace(
  '{ echo ready; sleep 300 & sleep 300; } > "$FIFO"',
  'exec > "$FIFO"; env -i setsid sh -c "cd /; echo ready; sleep 300 & sleep 300" & sleep 300',
);

/** The same command in a program that has also lowered its own limit. */
const LOWERED = AWAY.replace('cd /;', 'cd /; { ulimit -S -w 5 || ulimit -S -x 5; } 2>/dev/null;');

/** A process that runs an agent's program forever, which has begun a session of its own as the shells of such programs do. */
const program = (path: string) => `
const { startProgram } = require(${built('cli-agent/program.js')});
const shell = 'exec > "$FIFO"; setsid sh -c "echo ready; sleep 300 & sleep 300" & sleep 300';
const env = { PATH: ${path}, FIFO: process.argv[1] };
startProgram({ argv: ['/bin/sh', '-c', shell], env, stdin: '' }, new AbortController().signal);
`;

describe.each([
  ['a command', COMMAND],
  ['a command that leaves its group without its environment', AWAY],
  ['a command that lowers its limit as well', LOWERED],
  ['a program that leaves its group', program('process.env.PATH')],
  ['a program that has a grep of its own', program("require('node:path').dirname(process.argv[1]) + ':' + process.env.PATH")],
])('%s whose worker is killed by SIGKILL', (_, code) => {
  it('is killed with everything it started', async () => {
    const folder = scratchFolder();
    const fifo = join(folder, 'fifo');
    writeFileSync(join(folder, 'grep'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    spawnSync('mkfifo', [fifo]);
    const holder = spawn(process.execPath, ['-e', code, fifo], { stdio: 'ignore' });
    try {
      // Its processes hold the fifo open: reading ends when the last of them is gone.
      const file = await open(fifo, 'r');
      const lines = file.readLines()[Symbol.asyncIterator]();
      await expect(lines.next()).resolves.toMatchObject({ value: 'ready' });
      holder.kill('SIGKILL');
      await once(holder, 'exit');
      await expect(lines.next()).resolves.toMatchObject({ done: true });
    } finally {
      holder.kill('SIGKILL');
    }
  });
});
