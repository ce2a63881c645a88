import type { Plan } from '../../plan/plan';
import { ThermidorFailure } from '../../plan/run/failure';
import type { Step } from '../../plan/steps/step';
import { agent, approval, command, held, input, pipeline, review, reviewed, wait } from '../support/steps';
import { artifact, planOf, runPlan, type StepBehaviour, verdict, type World, type WorldOptions } from '../support/world';
import { freshly } from './program';

/** Every kind that waits continues in a fresh execution at each of its waits, and requests nothing that it has already received. */

const SECOND = 1000;
const HOUR = 3_600_000;
/** Several questions of one step may have one address, so they are counted by the gates that opened. */
const REPEATABLE: readonly string[] = ['gate'];

type Does = (world: World) => void;

async function played(plan: Plan, options: WorldOptions, people: readonly Does[]): Promise<World> {
  const fresh = freshly();
  const world = runPlan(plan, { ...options, historyIsFull: fresh.historyIsFull });
  await fresh.toTheEnd(world);
  for (const does of people) {
    await fresh.again(world);
    does(world);
    await fresh.again(world);
    await fresh.toTheEnd(world);
  }
  await expect(world.result).resolves.toMatchObject({ status: 'completed' });
  expect(world.executions).toBeGreaterThan(2);
  return world;
}

function repeated(world: World): string[] {
  const addresses = world.calls.flatMap(({ name, options: { address } }) =>
    address === undefined || REPEATABLE.includes(name) ? [] : [address],
  );
  return addresses.filter((address, i) => addresses.indexOf(address) !== i);
}

const signal =
  (name: string, payload: object): Does =>
  (world) =>
    world.signal(name, payload);

const chain: Plan['escalation'] = [
  { kind: 'agent', id: 'lead', decides: 'human' },
  { kind: 'agent', id: 'boss', decides: 'human' },
  { kind: 'human' },
];
const advises: StepBehaviour = ({ input: { escalation }, call }) =>
  escalation
    ? { escalated: { decision: 'pass', rationale: 'fine' } }
    : call.options.address?.endsWith('/critic')
      ? { artifact: artifact('second'), verdict: verdict('pass') }
      : reviewed('block');

const asks = (stage: number, gate: 'approval' | 'input') => ({
  kind: 'asks',
  stage,
  items: artifact(`items-${stage}`),
  gate,
  question: { form: artifact(`form-${stage}`), question: `question ${stage}?` },
});

/** An activity of its own renders the question of a stage. */
function askedByStages(world: World): number {
  return world.calls.filter(({ name }) => name === 'stages').length > 0 ? 2 : 0;
}

interface Case {
  steps: Step[];
  plan?: Partial<Plan>;
  options?: WorldOptions;
  people: Does[];
}

const CASES: Record<string, Case> = {
  'a pipe of stages that asks twice': {
    steps: [{ kind: 'stages', id: 'pipe', stages: [] }],
    options: {
      steps: {
        pipe: ({ call }) => {
          const from = (call.input as { from?: { stage: number } }).from?.stage;
          return (from === undefined ? asks(1, 'approval') : from === 1 ? asks(2, 'input') : { kind: 'done', output: {} }) as never;
        },
      },
    },
    people: [signal('approve', { by: 'ann' }), signal('respond', { by: 'ann', response: { answer: 1 } })],
  },
  'a review, its critic, and the chain above them': {
    steps: [agent('draft'), review('judge', 'draft', { critic: 'boss' })],
    plan: { escalation: chain },
    options: { steps: { judge: advises } },
    people: [signal('approve', { by: 'ann' })],
  },
  'an approval behind a command, and what a rejection is taken to': {
    steps: [
      command('deploy', {
        approval: {
          onReject: [
            { kind: 'notify', channel: '#news' },
            { kind: 'escalate', to: { kind: 'human' } },
          ],
        },
      }),
    ],
    people: [signal('reject', { by: 'ann' }), signal('approve', { by: 'bob' })],
  },
  'an approval that nobody gives in time': {
    steps: [approval('sign', { timeoutMs: HOUR, onTimeout: 'escalate' })],
    plan: { escalation: [{ kind: 'human', name: 'chairman' }] },
    people: [signal('approve', { by: 'ann' })],
  },
  'an input, a wait and a signal': {
    steps: [input('ask'), wait('rest', { forMs: HOUR }), wait('word', { signal: 'go' })],
    people: [signal('respond', { by: 'ann', response: 'yes' }), signal('go', { word: 'now' })],
  },
  'a failure that is tried again after a pause, held, and taken up': {
    steps: [command('flaky', { retry: { max: 2, delayMs: 20 * SECOND }, ...held })],
    options: {
      steps: {
        flaky: ({ address }) => {
          if ((address?.try ?? 1) < 3) throw new ThermidorFailure('command.failed', 'exit 1');
          return { artifact: artifact('flaky') };
        },
      },
    },
    people: [signal('retry', { step: 'flaky' })],
  },
  'a command of a category, and the budget of time around it': {
    steps: [wait('long', { forMs: 2 * HOUR }), command('pay', { category: 'move_money' })],
    plan: { budget: { wallClockMs: HOUR }, requiresApproval: { move_money: { approvers: ['ann'] } } },
    options: { gate: ({ category }) => (category === undefined ? {} : { contentSha256: 'c'.repeat(64) }) },
    people: [signal('extend_budget', { wall_clock: '9h' }), signal('approve', { by: 'ann' })],
  },
  'an agent that asks, and a run that gets its first budget meanwhile': {
    steps: [agent('asks', { approval: { onReject: [] } })],
    options: {
      steps: {
        asks: () => ({ artifact: artifact('asks') }),
      },
    },
    plan: {},
    people: [signal('extend_budget', { tokens: 1000 }), signal('approve', { by: 'ann' })],
  },
  'a child pipeline that gets its budget late': {
    steps: [agent('dear'), pipeline('child', 'release')],
    plan: { budget: { tokens: 100 } },
    options: {
      children: { release: planOf([wait('rest', { forMs: HOUR })], { name: 'release' }) },
      steps: {
        dear: () => ({ usage: { inputTokens: 100, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, costMicroUsd: 0 } }),
      },
    },
    people: [signal('extend_budget', { tokens: 1000 })],
  },
};

describe('a fresh execution at each wait of', () => {
  it.each(Object.entries(CASES))('%s', async (_what, { steps, plan, options = {}, people }) => {
    const world = await played(planOf(steps, plan), options, people);
    expect(repeated(world)).toEqual([]);
    const opened = world.journal('test-run').filter((entry) => entry.kind === 'gate' && entry.event === 'opened').length;
    expect(world.gateInputs).toHaveLength(opened - askedByStages(world));
  });
});
