import { asyncLocalStorage, type Context } from '@temporalio/activity';
import { InFlight } from '../../activities/in-flight';
import type { Log } from '../../activities/log';
import { withStep } from '../../worker/step-in-log';

function written(): { lines: unknown[]; log: Log } {
  const lines: unknown[] = [];
  return { lines, log: withStep((level, message, fields) => lines.push([level, message, fields])) };
}

async function during(activityId: string, work: () => Promise<void> | void): Promise<void> {
  const info = { activityId, attempt: 2, workflowExecution: { workflowId: 'r', runId: 'x' } };
  await asyncLocalStorage.run({ info } as Context, async () => {
    await Promise.resolve();
    await work();
  });
}

test('what an activity says has its run, step and try, also in what it awaits and in parts of a step', async () => {
  const { lines, log } = written();
  await during('team[2]/bull#3~4/gate', () => log('info', 'a line', { more: 1 }));
  await during('sweep', () => log('info', 'a line', { more: 1 }));
  expect(lines).toEqual([
    ['info', 'a line', { run: 'r', step: 'team[2]/bull#3', try: 4, attempt: 2, more: 1 }],
    ['info', 'a line', { run: 'r', activity: 'sweep', attempt: 2, more: 1 }],
  ]);
});

test('what the worker says outside of activities has none', () => {
  const { lines, log } = written();
  log('warn', 'a line');
  log('warn', 'a line', { sdkComponent: 'worker' });
  expect(lines).toEqual([
    ['warn', 'a line', {}],
    ['warn', 'a line', { sdkComponent: 'worker' }],
  ]);
});

test('a line of the SDK is of the activity or workflow that it names, whatever is at work when it comes', async () => {
  const { lines, log } = written();
  const [own, ofWorkflow] = [
    { sdkComponent: 'worker', workflowId: 's', activityId: 'bull#1~3', attempt: 7 },
    { sdkComponent: 'workflow', workflowId: 's', attempt: 1 },
  ];
  await during('bear#1~1', () => {
    log('warn', 'failed', own);
    log('warn', 'failed', ofWorkflow);
    log('warn', 'stopped', { sdkComponent: 'core' });
  });
  expect(lines).toEqual([
    ['warn', 'failed', { ...own, run: 's', step: 'bull', try: 3 }],
    ['warn', 'failed', { ...ofWorkflow, run: 's' }],
    ['warn', 'stopped', { sdkComponent: 'core' }],
  ]);
});

test('a call that a line names is the one that it belongs to: an activity may do several steps', async () => {
  const { lines, log } = written();
  await during('first#1~1', () => log('warn', 'a line', { call: 'second#1~2', run: 'forged' }));
  log('warn', 'a late line', { call: 'second#1~2', workflowId: 'r' });
  expect(lines).toEqual([
    ['warn', 'a line', { call: 'second#1~2', run: 'r', step: 'second', try: 2, attempt: 2 }],
    ['warn', 'a late line', { call: 'second#1~2', workflowId: 'r', run: 'r', step: 'second', try: 2 }],
  ]);
});

test('so does the line on work that does not end, which a timer writes', async () => {
  const { lines, log } = written();
  let ring = (): void => undefined;
  const timer = (_: number, rung: () => void) => {
    ring = rung;
    return () => undefined;
  };
  const hand = new InFlight({ log, timer });
  let end = (): void => undefined;
  const work = during('bull#1~1', () => hand.during('r', new AbortController().signal, () => new Promise<void>((ends) => (end = ends))));
  await Promise.resolve();
  await Promise.resolve();
  hand.drain();
  ring();
  end();
  await work;
  expect(lines).toEqual([['warn', expect.stringContaining('has not ended'), expect.objectContaining({ run: 'r', step: 'bull', try: 1 })]]);
});
