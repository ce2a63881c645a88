import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { attendGroup, exitOf, readAll } from '../../activities/adapters/processes/attend-group';
import { newOrphanMark } from '../../activities/adapters/processes/orphans';
import { GRACE_MS, startGroup } from '../../activities/adapters/processes/process-group';
import { isRunning } from '../support/agent-programs/programs';
import { scratchFolder } from './workshop';

/** Other work keeps this thread from its event loop, as it does on a busy machine. */
function busy(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

function start(script: string) {
  const child = startGroup({ argv: ['sh', '-c', script], env: { PATH: process.env['PATH'] ?? '' } });
  const exited = exitOf(child, (error) => error);
  const stdout = readAll(child, 1024, () => undefined);
  const attendance = { input: '', mark: newOrphanMark(), timedOut: () => new Error('it has no limit') };
  return { child, stdout, ended: attendGroup(child, exited, attendance, new AbortController().signal).exit };
}

/** Lets a command that reads a pipe continue, and keeps this thread from its event loop until the command has printed and is gone. */
function outlive(pipe: string, pid = 0): void {
  writeFileSync(pipe, '\n');
  while (isRunning(pid)) busy(1);
}

test('what a program printed is read, even if its end is known first and the event loop then stops for longer than the grace time', async () => {
  const [firstPipe, secondPipe] = [join(scratchFolder(), 'pipe'), join(scratchFolder(), 'pipe')];
  spawnSync('mkfifo', [firstPipe, secondPipe]);
  const first = start(`echo begun; read go < ${firstPipe}; echo first`);
  const second = start(`read go < ${secondPipe}; echo second`);
  // When the loop comes back, the first has printed and is gone: the end of the second is learnt with that of the first.
  first.child.stdout.once('data', () => {
    first.child.stdout.once('data', () => outlive(secondPipe, second.child.pid));
    outlive(firstPipe, first.child.pid);
  });
  second.child.once('exit', () => busy(GRACE_MS + 200));
  expect(await second.ended).toEqual({ code: 0, signal: null });
  expect(await first.ended).toEqual({ code: 0, signal: null });
  expect([first, second].map(({ stdout }) => stdout().toString())).toEqual(['begun\nfirst\n', 'second\n']);
});
