import { ScheduleAlreadyRunning, ScheduleNotFoundError } from '@temporalio/client';
import { type Applied, applySchedule, previewSchedule, schedulesToPrune, triggerStates } from '../../client/apply-schedules';
import type { ThermidorClient } from '../../client/connect';
import {
  APPLIED_MEMO,
  type AppliedSchedule,
  type ScheduleOwner,
  scheduleOptions,
  type WantedSchedule,
} from '../../client/schedule-options';
import type { Us } from '../../client/schedule-owner';
import {
  deleteSchedule,
  listOwnedSchedules,
  pauseAll,
  pauseSchedule,
  triggerSchedule,
  unpauseAll,
  unpauseSchedule,
} from '../../client/schedules';
import type { CronTrigger } from '../../plan/plan';

/** A namespace that several installations share: its schedules in memory. */
interface Kept {
  action: { taskQueue: string; memo?: Record<string, unknown>; args?: unknown[] };
  state: { paused: boolean; note?: string };
  memo?: Record<string, unknown>;
}

const OURS: ScheduleOwner = { installation: 'one', taskQueue: 'thermidor' };
const THEIRS: ScheduleOwner = { installation: 'two', taskQueue: 'thermidor' };
const wanted = (pipeline: string, minute = 0): WantedSchedule & { trigger: CronTrigger } => ({
  pipeline,
  trigger: { kind: 'cron', expressions: [`${minute} 7 * * *`], timezone: 'UTC', overlap: 'skip', catchupMs: 600_000 },
});

class Namespace {
  readonly kept = new Map<string, Kept>();
  readonly done: string[] = [];
  /** Runs once, between a look at a schedule and its change. */
  between?: (() => void) | undefined;

  apply(name: string, owner: ScheduleOwner | undefined, { minute = 0, taskQueue = 'thermidor' } = {}): void {
    const { action, state, memo } = scheduleOptions(wanted(name, minute), owner ?? { installation: '', taskQueue });
    const made = { ...action, memo: structuredClone(action.memo ?? {}) } as Kept['action'];
    const { owner: _mine, ...earlier } = (made.memo as Record<typeof APPLIED_MEMO, AppliedSchedule>)[APPLIED_MEMO];
    if (!owner) made.memo = { [APPLIED_MEMO]: earlier };
    this.kept.set(name, { action: made, state: { paused: state?.paused === true }, ...(memo ? { memo } : {}) });
  }

  get client(): ThermidorClient {
    const { kept, done } = this;
    const found = (name: string): Kept => {
      const one = kept.get(name);
      if (!one) throw new ScheduleNotFoundError('none', name);
      return one;
    };
    const pass = (): void => {
      const { between } = this;
      this.between = undefined;
      between?.();
    };
    const schedule = {
      create: async ({ scheduleId, action, state, memo }: { scheduleId: string } & Kept) => {
        if (kept.has(scheduleId)) throw new ScheduleAlreadyRunning('there', scheduleId);
        kept.set(scheduleId, { action, state, ...(memo ? { memo } : {}) });
      },
      getHandle: (name: string) => ({
        describe: async () => ({ ...found(name), info: { nextActionTimes: [], recentActions: [] }, raw: {} }),
        update: async (change: (before: Kept) => Kept) => {
          const next = change(structuredClone(found(name)));
          pass();
          kept.set(name, { ...found(name), ...next });
          pass();
        },
        pause: async (note: string) => void Object.assign(found(name).state, { paused: true, note }),
        unpause: async (note: string) => void Object.assign(found(name).state, { paused: false, note }),
        trigger: async () => {
          found(name);
          done.push(name);
        },
        delete: async () => {
          found(name);
          kept.delete(name);
        },
      }),
      async *list() {
        for (const [scheduleId, { memo, state }] of kept)
          yield { scheduleId, memo, state, info: { nextActionTimes: [], recentActions: [] } };
      },
    };
    return { temporal: { schedule }, call: (request: () => unknown) => request() } as unknown as ThermidorClient;
  }
}

/** Who owns a schedule, and what another installation may do with it. */
const BELONGINGS: Record<string, { owner: ScheduleOwner | undefined; taskQueue?: string; us: Us; may: boolean; applied: Applied }> = {
  'of this installation': { owner: OURS, us: OURS, may: true, applied: 'unchanged' },
  'of another installation': { owner: THEIRS, us: OURS, may: false, applied: 'taken-over' },
  'of this installation, for another task queue': { owner: OURS, us: { ...OURS, taskQueue: 'other' }, may: false, applied: 'taken-over' },
  'of an installation, for a folder without an id': { owner: OURS, us: { taskQueue: 'thermidor' }, may: false, applied: 'taken-over' },
  'of nobody, for our task queue': { owner: undefined, us: OURS, may: true, applied: 'adopted' },
  'of nobody, for another task queue': { owner: undefined, taskQueue: 'other', us: OURS, may: false, applied: 'taken-over' },
};
const COMMANDS: Record<string, (client: ThermidorClient, us: Us) => Promise<unknown>> = {
  apply: (client, us) => applySchedule(client, { installation: 'fresh', ...us }, wanted('x')),
  'apply --dry-run': (client, us) => previewSchedule(client, us, wanted('x')),
  pause: (client, us) => pauseSchedule(client, us, 'x', 'why'),
  unpause: (client, us) => unpauseSchedule(client, us, 'x', 'why'),
  trigger: (client, us) => triggerSchedule(client, us, 'x'),
  delete: (client, us) => deleteSchedule(client, us, 'x'),
};

describe.each(Object.entries(BELONGINGS))('a schedule %s', (_, { owner, taskQueue, us, may, applied }) => {
  const made = (): Namespace => {
    const namespace = new Namespace();
    namespace.apply('x', owner, taskQueue === undefined ? {} : { taskQueue });
    return namespace;
  };

  it.each(Object.entries(COMMANDS))(`${may ? 'takes' : 'refuses'} %s`, async (__, command) => {
    const namespace = made();
    const before = structuredClone(namespace.kept.get('x'));
    if (may) await expect(command(namespace.client, us)).resolves.not.toThrow();
    else {
      await expect(command(namespace.client, us)).rejects.toMatchObject({
        code: 'schedule.not-ours',
        more: { hint: expect.stringContaining('--take-over') },
      });
      expect(namespace.kept.get('x')).toEqual(before);
      expect(namespace.done).toEqual([]);
    }
  });

  it('is applied if somebody says that they take it over, and keeps its pause and note', async () => {
    const namespace = made();
    const { state } = namespace.kept.get('x') as Kept;
    Object.assign(state, { paused: true, note: 'holiday' });
    const installation = us.installation ?? 'fresh';
    const by = { ...us, installation };
    expect(await applySchedule(namespace.client, by, wanted('x'), { takeOver: true })).toEqual({
      schedule: 'x',
      done: applied,
      paused: true,
    });
    expect(namespace.kept.get('x')?.state).toEqual({ paused: true, note: 'holiday' });
    expect(await listOwnedSchedules(namespace.client, by)).toMatchObject([{ schedule: 'x', belongs: 'ours', owner: installation }]);
    expect(await applySchedule(namespace.client, by, wanted('x'))).toMatchObject({ done: 'unchanged' });
  });
});

describe('pruning', () => {
  it('takes only what this installation owns and no pipeline wants', async () => {
    const namespace = new Namespace();
    for (const [name, owner] of [
      ['kept', OURS],
      ['gone', OURS],
      ['theirs', THEIRS],
      ['free', undefined],
    ] as const)
      namespace.apply(name, owner);
    namespace.kept.set('foreign', { action: { taskQueue: 'thermidor' }, state: { paused: false } });
    expect(await schedulesToPrune(namespace.client, OURS, new Set(['kept']))).toEqual([
      { schedule: 'gone', done: 'deleted', paused: false },
    ]);
    expect(await schedulesToPrune(namespace.client, { taskQueue: 'thermidor' }, new Set())).toEqual([]);
  });
});

describe('two installations at once', () => {
  it('of two that create one of the same name one has it, and the other is refused', async () => {
    const namespace = new Namespace();
    const both = await Promise.allSettled([
      applySchedule(namespace.client, OURS, wanted('x')),
      applySchedule(namespace.client, THEIRS, wanted('x', 30)),
    ]);
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(both[1]).toMatchObject({ reason: { code: 'schedule.not-ours' } });
  });

  it('of two that adopt one, who is overwritten hears of it', async () => {
    const namespace = new Namespace();
    namespace.apply('x', undefined);
    namespace.between = () => {
      namespace.between = () => namespace.apply('x', THEIRS);
    };
    await expect(applySchedule(namespace.client, OURS, wanted('x'))).rejects.toMatchObject({ code: 'schedule.not-ours' });
  });
});

describe('a trigger', () => {
  it.each<[string, (namespace: Namespace) => void, string]>([
    ['that nobody has applied', () => undefined, 'not-applied'],
    ['as it is in the file', (namespace) => namespace.apply('x', OURS), 'applied'],
    ['that has changed since', (namespace) => namespace.apply('x', OURS, { minute: 30 }), 'differs'],
    ['whose schedule another installation has', (namespace) => namespace.apply('x', THEIRS), 'of-others'],
    [
      'whose schedule somebody has made by hand',
      (namespace) => namespace.kept.set('x', { action: { taskQueue: 'thermidor' }, state: { paused: false } }),
      'differs',
    ],
  ])('%s has a state of its own', async (_, prepare, state) => {
    const namespace = new Namespace();
    prepare(namespace);
    expect(await triggerStates(namespace.client, OURS, [wanted('x')])).toEqual([{ pipeline: 'x', schedule: 'x', state }]);
  });

  it('that was applied with a script is as it is in the file', async () => {
    const namespace = new Namespace();
    await applySchedule(namespace.client, OURS, { ...wanted('x'), script: 'all' });
    expect(await triggerStates(namespace.client, OURS, [wanted('x')])).toMatchObject([{ schedule: 'x', state: 'applied' }]);
  });

  it('has a schedule of its own for each name, and a change of its args differs', async () => {
    const namespace = new Namespace();
    const daily = wanted('x');
    const weekly: WantedSchedule & { trigger: CronTrigger } = {
      ...daily,
      trigger: { ...daily.trigger, name: 'weekly', args: { days: 7 } },
    };
    for (const one of [daily, weekly]) expect(await applySchedule(namespace.client, OURS, one)).toMatchObject({ done: 'created' });
    expect([...namespace.kept.keys()]).toEqual(['x', 'x.weekly']);
    const later: WantedSchedule = { ...weekly, trigger: { ...weekly.trigger, args: { days: 8 } } };
    expect(await triggerStates(namespace.client, OURS, [daily, later])).toEqual([
      { pipeline: 'x', schedule: 'x', state: 'applied' },
      { pipeline: 'x', schedule: 'x.weekly', state: 'differs' },
    ]);
    expect(await schedulesToPrune(namespace.client, OURS, new Set(['x']))).toMatchObject([{ schedule: 'x.weekly' }]);
  });
});

describe('a pause of all', () => {
  it('pauses what is ours and not paused, and is taken back from the same, and no others', async () => {
    const namespace = new Namespace();
    for (const name of ['a', 'b', 'holiday', 'later']) namespace.apply(name, OURS);
    namespace.apply('theirs', THEIRS);
    namespace.apply('free', undefined);
    const { client } = namespace;
    const state = (name: string): Kept['state'] | undefined => namespace.kept.get(name)?.state;
    await pauseSchedule(client, OURS, 'holiday', 'exchange holiday');
    expect(await pauseAll(client, OURS, 'moving')).toEqual(['a', 'b', 'later']);
    expect(await pauseAll(client, OURS, 'again')).toEqual([]);
    expect(['a', 'holiday', 'theirs', 'free'].map((name) => state(name)?.note)).toEqual([
      'all: moving',
      'exchange holiday',
      undefined,
      undefined,
    ]);
    await pauseSchedule(client, OURS, 'later', 'this one longer');
    expect(await applySchedule(client, OURS, wanted('a', 30))).toMatchObject({ done: 'updated', paused: true });
    expect(await unpauseAll(client, OURS, 'moved')).toEqual(['a', 'b']);
    expect([state('holiday'), state('later'), state('theirs')]).toMatchObject([{ paused: true }, { paused: true }, { paused: false }]);
    expect(await unpauseAll(client, OURS, 'moved')).toEqual([]);
  });
});
