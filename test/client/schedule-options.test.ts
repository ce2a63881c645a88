import { APPLIED_MEMO, PAUSED_BY_FILE, scheduleOptions, stateAfterApply } from '../../client/schedule-options';
import type { CronTrigger } from '../../plan/plan';

const TRIGGER: CronTrigger = { kind: 'cron', expressions: ['30 7 * * 1-5'], timezone: 'UTC', overlap: 'skip', catchupMs: 600_000 };
const OWNER = { installation: 'i', taskQueue: 'thermidor' };
const wanted = (trigger: Partial<CronTrigger> = {}, more = {}) =>
  scheduleOptions({ pipeline: 'daily', trigger: { ...TRIGGER, ...trigger }, ...more }, OWNER);
const digest = (options: ReturnType<typeof wanted>): unknown => options.action.memo?.[APPLIED_MEMO];

test('one schedule a pipeline: id, workflow type and workflow id are its name', () => {
  expect(wanted()).toMatchObject({
    scheduleId: 'daily',
    action: { type: 'startWorkflow', workflowType: 'daily', workflowId: 'daily', taskQueue: 'thermidor', args: [{}] },
    spec: { cronExpressions: ['30 7 * * 1-5'], timezone: 'UTC' },
  });
});

test('a trigger with a name has a schedule of its own, whose runs are the pipeline’s', () => {
  expect(wanted({ name: 'weekly' })).toMatchObject({
    scheduleId: 'daily.weekly',
    action: { workflowType: 'daily', workflowId: 'daily.weekly' },
  });
});

test('the catch-up window is always set: the server’s own is a year', () => {
  expect(wanted().policies).toEqual({ overlap: 'SKIP', catchupWindow: 600_000 });
});

test('a script and args travel in the run’s input', () => {
  expect(wanted({ args: { a: 1 } }, { script: 'daily-quant' }).action.args).toEqual([{ script: 'daily-quant', args: { a: 1 } }]);
});

test('what was applied is known again, and a change is seen', () => {
  expect(digest(wanted())).toEqual(digest(wanted()));
  expect(digest(wanted({ expressions: ['0 8 * * *'] }))).not.toEqual(digest(wanted()));
  expect(digest(wanted({}, { script: 's' }))).not.toEqual(digest(wanted()));
});

describe('applying again', () => {
  const applied = { sha256: 'x', paused: false };

  test('keeps an operator’s pause and note', () => {
    expect(stateAfterApply(TRIGGER, { paused: true, note: 'holiday' }, applied)).toEqual({ paused: true, note: 'holiday' });
  });

  test('keeps an operator’s unpause of a pipeline whose file says paused', () => {
    const paused: CronTrigger = { ...TRIGGER, paused: true };
    expect(stateAfterApply(paused, { paused: false }, { ...applied, paused: true })).toEqual({ paused: false });
  });

  test('pauses when the file begins to say so', () => {
    expect(stateAfterApply({ ...TRIGGER, paused: true }, { paused: false }, applied)).toEqual({ paused: true, note: PAUSED_BY_FILE });
  });

  test('unpauses when the file no longer says so, but not over an operator’s own pause', () => {
    const before = { ...applied, paused: true };
    expect(stateAfterApply(TRIGGER, { paused: true, note: PAUSED_BY_FILE }, before)).toEqual({ paused: false });
    expect(stateAfterApply(TRIGGER, { paused: true, note: 'holiday' }, before)).toEqual({ paused: true, note: 'holiday' });
  });
});
