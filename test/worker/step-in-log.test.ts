import { asyncLocalStorage, type Context } from '@temporalio/activity';
import { withStep } from '../../worker/step-in-log';

async function writtenIn(activityId: string): Promise<unknown[]> {
  const written: unknown[] = [];
  const log = withStep((level, message, fields) => written.push([level, message, fields]));
  const info = { activityId, attempt: 2, workflowExecution: { workflowId: 'r', runId: 'x' } };
  await asyncLocalStorage.run({ info } as Context, async () => {
    await Promise.resolve();
    log('info', 'a line', { more: 1 });
  });
  return written;
}

test('what an activity says has its run, step and try, also in what it awaits and in parts of a step', async () => {
  expect(await writtenIn('team[2]/bull#3~4/gate')).toEqual([
    ['info', 'a line', { run: 'r', step: 'team[2]/bull#3', try: 4, attempt: 2, more: 1 }],
  ]);
  expect(await writtenIn('sweep')).toEqual([['info', 'a line', { run: 'r', activity: 'sweep', attempt: 2, more: 1 }]]);
});

test('what the worker says outside of activities has none', () => {
  const written: unknown[] = [];
  withStep((_, message, fields) => written.push([message, fields]))('warn', 'a line');
  expect(written).toEqual([['a line', {}]]);
});
