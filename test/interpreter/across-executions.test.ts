import { ThermidorFailure } from '../../plan/run/failure';
import type { RunMemo } from '../../plan/run/run-memo';
import { SEARCH_ATTRIBUTES } from '../../plan/run/search-attributes';
import type { RunView } from '../../plan/run/status';
import { type Deferred, deferred } from '../../workflows/interpreter/scheduling/deferred';
import type { MemoryCall } from '../../workflows/memory/memory-run';
import { agent, approval, command, forEach, input, oneOf, parallel, pipeline, repeat, review, reviewed, wait } from '../support/steps';
import { planOf, runPlan, type World, type WorldOptions } from '../support/world';

/**
 * A run that continues in a fresh execution at every wait looks the same from outside as one that never does: what it shows and the state
 * by which it decides are equal at every moment.
 */

/** How the fields of a view compare between the two runs. A new field without a rule is a type error here. */
type Rule = 'equal' | { excluded: string };
const VIEW: Record<keyof Required<RunView>, Rule> = {
  run: 'equal',
  runId: { excluded: 'names the execution' },
  firstRunId: 'equal',
  pipeline: 'equal',
  owner: 'equal',
  description: 'equal',
  state: 'equal',
  startedAt: 'equal',
  startedBy: 'equal',
  endedAt: 'equal',
  script: 'equal',
  plan: 'equal',
  args: 'equal',
  steps: 'equal',
  offset: 'equal',
  totalSteps: 'equal',
  gates: 'equal',
  held: 'equal',
  paused: 'equal',
  pausedForSwarm: 'equal',
  error: 'equal',
  reason: 'equal',
  usage: 'equal',
  budget: 'equal',
  undelivered: 'equal',
  raised: 'equal',
};
const MEMO: Record<keyof Required<RunMemo>, Rule> = {
  state: 'equal',
  owner: 'equal',
  parent: 'equal',
  startedAt: { excluded: 'tells what the server does not know of a later execution; in the first, the server knows' },
  gates: 'equal',
  letters: 'equal',
};

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** This is well after the end of the run. */
const BOUND_MS = 10 * HOUR;
const NUDGED_FOR_MS = 5 * HOUR;
const CHILD = 'release';

const CHILD_PLAN = planOf([wait('rest', { forMs: 20 * MINUTE }), approval('sign')], {
  name: CHILD,
  output: { kind: 'run', field: 'startedAt' },
});

/** The plan has a step for each kind of wait: for time, people, signals, a channel, a child, the next try and budget. */
const PLAN = planOf(
  [
    wait('early', { after: [], forMs: 25 * MINUTE }),
    command('made', { after: ['early'] }),
    review('judged', 'made', { after: ['made'] }),
    approval('ask', { after: [], approvers: ['ann', 'bob'], quorum: 2, remindMs: 13 * MINUTE, channel: '#down' }),
    input('answer', { after: [], timeoutMs: 65 * MINUTE, defaults: 'nothing', onError: [{ kind: 'continue' }] }),
    wait('word', { after: [], signal: 'go', timeoutMs: 3 * HOUR }),
    wait('never', { after: [], signal: 'come', timeoutMs: 50 * MINUTE, onError: [{ kind: 'continue' }] }),
    agent('flaky', { after: [], retry: { max: 4, delayMs: 11 * MINUTE, maxDelayMs: HOUR } }),
    command('stuck', { after: [], onError: [{ kind: 'hold' }] }),
    forEach('each', [command('one')], { after: [], pauseMs: 12 * MINUTE, batchSize: 1 }),
    parallel('both', [wait('left', { forMs: 30 * MINUTE }), wait('right', { forMs: 41 * MINUTE })], { after: [], timeoutMs: 2 * HOUR }),
    oneOf('chosen', [wait('noon', { forMs: 37 * MINUTE }), command('else', { when: { kind: 'literal', value: false } })], { after: [] }),
    repeat('rounds', [wait('turn', { forMs: 19 * MINUTE }), command('work', { lastInputs: ['work'] })], 4, {
      after: [],
      timeoutMs: 5 * HOUR,
    }),
    pipeline('child', CHILD, { after: [] }),
    command('since', {
      after: ['early'],
      when: {
        kind: 'binary',
        operator: '==',
        left: { kind: 'run', field: 'startedAt' },
        right: { kind: 'literal', value: '2026-01-05T07:30:00.000Z' },
      },
    }),
    wait('long', { after: ['word'], forMs: HOUR }),
    agent('dear', { after: ['long'] }),
  ],
  { concurrent: 20, budget: { wallClockMs: 3 * HOUR }, output: { kind: 'run', field: 'startedAt' } },
  'graph',
);

/** The actions of people and programs, each with its minute since the start. */
const SCRIPT: readonly (readonly [minutes: number, does: (world: World) => void])[] = [
  [31, (world) => world.signal('approve', { step: 'ask', by: 'ann' })],
  [34, (world) => world.signal('pause', { by: 'ann', reason: 'lunch' })],
  [38, (world) => world.signal('unpause', { by: 'ann' })],
  [42, (world) => world.children.get('test-run.child')?.signal('approve', { by: 'cleo' })],
  [43, (world) => world.signal('approve', { step: 'ask', by: 'ann' })],
  [58, (world) => world.signal('approve', { step: 'ask', by: 'bob' })],
  [71, (world) => world.signal('retry', { step: 'stuck' })],
  [131, (world) => world.signal('go', { word: 'now' })],
  [240, (world) => world.signal('extend_budget', { wall_clock: '6h', by: 'ann' })],
];

interface Played {
  world: World;
  moments: Map<number, Moment>;
  calls: Map<string, object>;
  result: unknown;
}

interface Moment {
  view: RunView;
  memo: RunMemo | undefined;
  attributes: unknown;
  graph: unknown;
}

async function play(executions: 'one' | 'many'): Promise<Played> {
  const full = new Set<string>();
  const latest = new Map<string, string>();
  const historyIsFull: WorldOptions['historyIsFull'] = ({ workflowId, runId }) => {
    latest.set(workflowId, runId);
    return full.has(`${workflowId} ${runId}`);
  };
  const world = runPlan(PLAN, { ...surroundings(), ...(executions === 'one' ? {} : { historyIsFull }) });
  const startMs = world.clock.now();
  for (const [minutes, does] of SCRIPT) world.clock.after(minutes * MINUTE, () => does(world));
  // A message is enough to end an execution whose history is full.
  for (let atMs = SECOND; atMs < NUDGED_FOR_MS; atMs += 2 * MINUTE) {
    world.clock.after(atMs, () => {
      for (const [workflowId, runId] of latest) full.add(`${workflowId} ${runId}`);
      world.signal('nudge');
      world.children.get('test-run.child')?.signal('nudge');
    });
  }
  const moments: Played['moments'] = new Map();
  const due = new Map<MemoryCall, number>();
  await world.elapse(() => {
    moments.set(world.clock.now() - startMs, momentOf(world));
    for (const call of world.calls) if (!due.has(call)) due.set(call, world.clock.now() - startMs);
    return world.clock.now() - startMs > BOUND_MS;
  });
  const result = await Promise.race([world.result.catch((error: unknown) => error), world.settle()]);
  return { world, moments, calls: callsOf(world, due), result };
}

function surroundings(): WorldOptions {
  let tries = 0;
  let wrong = true;
  let reviews = 0;
  return {
    searchAttributes: [...SEARCH_ATTRIBUTES],
    children: { [CHILD]: CHILD_PLAN },
    lists: { each: ['a', 'b', 'c'] },
    steps: {
      flaky: () => {
        tries += 1;
        if (tries < 4) throw new ThermidorFailure('command.failed', 'not yet');
        return {};
      },
      stuck: () => {
        const failure = wrong;
        wrong = false;
        if (failure) throw new ThermidorFailure('command.failed', 'no');
        return {};
      },
      judged: () => {
        reviews += 1;
        return reviewed(reviews < 3 ? 'revise' : 'pass');
      },
    },
    // Fails after its whole time, as on a server, which tries again until the time is up.
    notify: async (channel, _message, { clock, options }) => {
      if (channel !== '#down') return;
      await new Promise<void>((resolve) => clock.after(options.scheduleToCloseMs ?? 0, resolve));
      throw new ThermidorFailure('channel.unavailable', 'nobody there');
    },
  };
}

function momentOf(world: World): Moment {
  const { memo, searchAttributes } = world.published;
  return structuredClone({
    view: world.status(),
    memo,
    attributes: searchAttributes,
    graph: world.query('graph'),
  });
}

/**
 * The calls by address. A deadline is compared as a moment and not as a duration, because a later execution that tries again has less time
 * left.
 */
function callsOf({ calls }: World, due: ReadonlyMap<MemoryCall, number>): Played['calls'] {
  const found: Played['calls'] = new Map();
  for (const call of calls) {
    const { scheduleToCloseMs, ...options } = call.options;
    const untilMs = scheduleToCloseMs === undefined ? undefined : (due.get(call) ?? 0) + scheduleToCloseMs;
    found.set(`${call.info.workflowId} ${call.name} ${options.address}`, structuredClone({ input: call.input, options, untilMs }));
  }
  return found;
}

function shown(fields: object | undefined, rules: Record<string, Rule>): object {
  const entries = Object.entries(fields ?? {});
  expect(entries.flatMap(([key]) => (key in rules ? [] : [key]))).toEqual([]);
  return Object.fromEntries(entries.filter(([key]) => rules[key] === 'equal'));
}

/** Leaves out the elapsed time of a gate's budget, which depends on when the memo was written: each later execution writes it again. */
function listed(memo: RunMemo | undefined): object {
  return { ...shown(memo, MEMO), gates: memo?.gates.map(({ budget: _soFar, ...gate }) => gate) };
}

function spentOf(memo: RunMemo | undefined): number {
  return Math.max(0, ...(memo?.gates ?? []).map(({ budget }) => budget?.wallClockMs?.spent ?? 0));
}

describe('a run over many executions', () => {
  let one: Played;
  let many: Played;
  beforeAll(async () => {
    one = await play('one');
    many = await play('many');
  });

  it('is played through, and by many executions', () => {
    expect(one.result).toMatchObject({ status: 'completed' });
    expect(one.world.executions).toBe(1);
    expect(many.world.executions).toBeGreaterThan(20);
    const kinds = new Set([...one.moments.values()].flatMap(({ view }) => [view.state, ...Object.keys(view)]));
    for (const kind of ['running', 'held', 'paused', 'completed', 'undelivered', 'budget']) expect([...kinds]).toContain(kind);
  });

  it('shows the same at every moment', () => {
    expect([...many.moments.keys()]).toEqual([...one.moments.keys()]);
    for (const [ms, moment] of one.moments) {
      const other = many.moments.get(ms);
      expect({ ms, ...shown(other?.view, VIEW) }).toEqual({ ms, ...shown(moment.view, VIEW) });
    }
  });

  it('is listed the same at every moment', () => {
    for (const [ms, { memo, attributes, graph }] of one.moments) {
      const other = many.moments.get(ms);
      expect({ ms, ...listed(other?.memo), attributes: other?.attributes }).toEqual({ ms, ...listed(memo), attributes });
      expect(spentOf(other?.memo)).toBeGreaterThanOrEqual(spentOf(memo));
      expect({ ms, graph: other?.graph }).toEqual({ ms, graph });
    }
  });

  it('writes the same journal', () => {
    expect(many.world.journal('test-run')).toEqual(one.world.journal('test-run'));
  });

  it('asks for the same work, with the same time left for it', () => {
    expect(Object.fromEntries(many.calls)).toEqual(Object.fromEntries(one.calls));
  });

  it('ends the same', () => {
    expect(many.result).toEqual(one.result);
  });
});

/** The next execution reports events of the hand-over to lists and to the parent. */
describe('a gate that is decided while the state is handed over', () => {
  const during = (): { whileSaving: () => Promise<void>; saving: Deferred<void> } => {
    const saving = deferred<void>();
    return { saving, whileSaving: () => saving.promise };
  };
  const busy = { slow: () => new Promise<never>(() => undefined) };

  it('is listed no more', async () => {
    const { saving, whileSaving } = during();
    let full = false;
    const plan = planOf([approval('ask'), command('slow')]);
    const world = runPlan(plan, { whileSaving, historyIsFull: () => full, searchAttributes: [...SEARCH_ATTRIBUTES], steps: busy });
    await world.settle();
    expect(world.published).toMatchObject({ memo: { gates: [{ step: 'ask' }] }, searchAttributes: { ThermidorWaitingFor: 'human' } });
    full = true;
    world.signal('nudge');
    await world.settle();
    full = false;
    world.signal('approve', { by: 'ann' });
    saving.resolve();
    await world.settle();
    expect([world.executions, world.status().state, world.status().gates]).toEqual([2, 'running', []]);
    expect(world.published).toMatchObject({ memo: { state: 'running', gates: [] }, searchAttributes: { ThermidorWaitingFor: '' } });
  });

  it('is no gate of the parent any more', async () => {
    const { saving, whileSaving } = during();
    const full = new Set<string>();
    const child = planOf([approval('sign'), command('slow')], { name: CHILD });
    const world = runPlan(planOf([pipeline('child', CHILD)]), {
      whileSaving,
      historyIsFull: ({ workflowId, runId }) => full.has(`${workflowId} ${runId}`),
      children: { [CHILD]: child },
      steps: busy,
    });
    await world.settle();
    expect(world.status().gates).toMatchObject([{ step: 'child/sign' }]);
    full.add('test-run.child run-1');
    const inner = world.children.get('test-run.child');
    inner?.signal('nudge');
    await world.settle();
    inner?.signal('approve', { by: 'ann' });
    saving.resolve();
    await world.settle();
    expect(inner?.query('status')).toMatchObject({ runId: 'run-2', state: 'running', gates: [] });
    expect([world.status().state, world.status().gates]).toEqual(['running', []]);
  });
});

test('a child that ends while the state of its parent is handed over has ended for the next execution', async () => {
  const saving = deferred<void>();
  const full = new Set<string>();
  const child = planOf([approval('sign')], { name: CHILD });
  const world = runPlan(planOf([pipeline('child', CHILD), command('next')]), {
    whileSaving: () => saving.promise,
    historyIsFull: ({ workflowId, runId }) => full.has(`${workflowId} ${runId}`),
    children: { [CHILD]: child },
  });
  await world.settle();
  full.add('test-run run-1');
  world.signal('nudge');
  await world.settle();
  world.children.get('test-run.child')?.signal('approve', { by: 'ann' });
  await world.settle();
  saving.resolve();
  await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  expect(world.executions).toBe(2);
});
