import { readRunInput } from '../../activities/run/run-input';
import { scheduledFor } from '../../activities/run/scheduled-for';
import type { CronTrigger } from '../../plan/plan';

const cron = (expression: string, more: Partial<CronTrigger> = {}): CronTrigger => ({
  ...{ kind: 'cron', expressions: [expression], timezone: 'UTC', overlap: 'skip', catchupMs: 0 },
  ...more,
});
const PLAN = { name: 'p', trigger: cron('0 7 * * *'), moreTriggers: [cron('0 8 * * 1', { name: 'weekly' })] };
const AT = '2026-11-23T08:00:00.000Z';

describe('the moment that a run is for', () => {
  it.each<[string, Parameters<typeof scheduledFor>, ReturnType<typeof scheduledFor>]>([
    ['is none if a person starts it', [PLAN, {}, undefined], undefined],
    [
      'has before it that of its own trigger',
      [PLAN, { scheduledBy: 'p.weekly', scheduledAt: AT }, undefined],
      { at: AT, before: '2026-11-16T08:00:00.000Z' },
    ],
    ['is the first trigger’s if a person gives it', [PLAN, {}, { at: AT }], { at: AT, before: '2026-11-23T07:00:00.000Z' }],
    [
      'is the schedule’s, whatever the input says',
      [PLAN, { scheduledBy: 'p', scheduledAt: AT }, { at: '2020-01-01T00:00:00.000Z' }],
      { at: AT, before: '2026-11-23T07:00:00.000Z' },
    ],
    ['has none before it if the file has no such trigger', [PLAN, { scheduledBy: 'by-hand', scheduledAt: AT }, undefined], { at: AT }],
    [
      'stays what the earlier run had',
      [PLAN, {}, { at: AT, before: '2026-11-01T00:00:00.000Z' }],
      { at: AT, before: '2026-11-01T00:00:00.000Z' },
    ],
  ])('%s', (_, [plan, opening, given], expected) => expect(scheduledFor(plan, opening, given)).toEqual(expected));
});

describe('a moment in the input', () => {
  it('is read in one spelling', () => {
    expect(readRunInput({ scheduled: { at: '2026-11-23T09:00:00+01:00' } })).toEqual({ scheduled: { at: AT } });
  });
  it.each([[{}], ['2026-11-23'], [{ at: 'soon' }], [{ at: AT, before: AT }], [{ at: AT, before: 5 }], [{ at: '+010000-01-01T00:00:00Z' }]])(
    'is refused: %j',
    (scheduled) => {
      expect(() => readRunInput({ scheduled })).toThrow('"scheduled" must be');
    },
  );
});
