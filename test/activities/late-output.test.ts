import { attendGroup, exitOf, readAll } from '../../activities/adapters/processes/attend-group';
import { newOrphanMark } from '../../activities/adapters/processes/orphans';
import { GRACE_MS, startGroup } from '../../activities/adapters/processes/process-group';

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

test('what a program printed is read, even if its end is known first and the event loop then stops for longer than the grace time', async () => {
  const first = start('sleep 0.3; echo first');
  const second = start('sleep 1; echo second');
  // Both have begun. When the loop comes back, the first has printed and is gone: the end of the second is learnt with that of the first.
  setTimeout(() => busy(500), 200);
  first.child.stdout.once('data', () => busy(900));
  second.child.once('exit', () => busy(GRACE_MS + 200));
  expect(await second.ended).toEqual({ code: 0, signal: null });
  expect(await first.ended).toEqual({ code: 0, signal: null });
  expect([first, second].map(({ stdout }) => stdout().toString())).toEqual(['first\n', 'second\n']);
});
