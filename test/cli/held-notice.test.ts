import { HeldNotice } from '../../cli/following/held-notice';
import { fakeTerminal } from './fake-terminal';
import { at, runView, stepView } from './views';

const RUN = 'daily-20261121-7f3k2a';
const notice = () => new HeldNotice(fakeTerminal().colors, ' --address there:7233');
const held = (step: string, since: number) => ({ step, reason: `step ${step} failed`, since: at(since) });

test('each held step is reported once, with the lines that go on and lead to the server', () => {
  const told = notice();
  const view = runView([stepView('bull', { state: 'held' })], { state: 'held', held: [held('bull', 1)] });
  expect(told.consider(view)).toBe(
    [
      '! bull is held: step bull failed',
      `  thermidor retry ${RUN} bull --address there:7233`,
      `  thermidor skip ${RUN} bull --address there:7233`,
      `  thermidor abort ${RUN} --address there:7233`,
      '',
    ].join('\n'),
  );
  expect(told.consider(view)).toBe('');
  expect(told.consider({ ...view, held: [held('bull', 1), held('kid/bear', 2)] })).toMatch(/^! kid\/bear is held(?!.*bull)/s);
});

test('what was tried again and is held again is reported again', () => {
  const told = notice();
  const first = runView([], { state: 'held', held: [held('bull', 1)] });
  expect(told.consider(first)).not.toBe('');
  expect(told.consider(runView([], { state: 'running' }))).toBe('');
  expect(told.consider({ ...first, held: [held('bull', 9)] })).toContain(`retry ${RUN} bull`);
});

test('a pause is reported with who paused it and why', () => {
  const view = runView([], { state: 'paused', paused: { by: 'ann', reason: 'exchange\u001b[2J is down', since: at(3) } });
  expect(notice().consider(view)).toBe(`! the run is paused by ann: exchange is down\n  thermidor unpause ${RUN} --address there:7233\n`);
});

test('a run that works, waits for people or has ended needs no operator', () => {
  for (const state of ['running', 'waiting', 'completed', 'failed'] as const) expect(notice().consider(runView([], { state }))).toBe('');
});
