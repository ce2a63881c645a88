import { defined } from '../../plan/defined';
import type { Plan } from '../../plan/plan';
import type { Action } from '../../plan/steps/action';
import type { ApprovalStep, Block, RetryPolicy, Step, StepBase } from '../../plan/steps/step';
import type { Json } from '../../plan/text/json';
import { type Dice, dice } from '../support/simulation/dice';
import {
  agent,
  approval,
  command,
  forEach,
  group,
  input,
  oneOf,
  parallel,
  pipeline,
  repeat,
  review,
  verdictIs,
  wait,
} from '../support/steps';
import { planOf } from '../support/world';
import { withExtras } from './plan-extras';
import { BLOCKS, BUDGETED, ERRORS, EXHAUSTED, inChain, KINDS, names, reachable, withoutSiblings } from './plan-parts';
import { withPatterns, withPostMortem } from './plan-patterns';
import type { Scenario } from './scenario';

export const PEOPLE = ['ann', 'bob', 'cleo', 'lead'] as const;
const AGENTS = ['worker', 'writer', 'critic'] as const;
const HELPER = 'helper';
const SECOND = 1000;

/** Makes pipelines as the compiler would freeze them, with any mixture of what the language allows. */
export function makeScenario(seed: number): Scenario {
  const chance = dice('scenario', seed);
  const maker = createMaker(chance, 's');
  const order = chance.pick(ORDERS);
  const steps = maker.block(order, chance.whole(2, 6), 0, []);
  const budget = chance.chance(0.4) ? { budget: { tokens: chance.whole(200, 3000) } } : {};
  const last: Block | undefined = chance.chance(0.15)
    ? { order: 'sequence', steps: maker.block('sequence', chance.whole(1, 2), 2, []) }
    : undefined;
  const more: Partial<Plan> = {
    agents: AGENT_ENTRIES,
    ...(chance.chance(0.3) ? { concurrent: chance.whole(1, 3) } : {}),
    ...defined({ finally: last }),
    ...budget,
  };
  return {
    seed,
    plan: withPostMortem(withPatterns(withExtras(planOf(steps, more, order), seed), seed), seed, AGENTS),
    children: Object.fromEntries(
      Object.entries(maker.children).map(([name, child]) => [name, withPatterns(withExtras(child, seed), seed)]),
    ),
    lists: maker.lists,
    ...(chance.chance(0.6) ? { activitiesPerExecution: chance.whole(3, 10) } : {}),
    crashes: chance.whole(1, 4),
    batches: chance.chance(0.5),
    failures: chance.chance(0.8),
    mischief: chance.chance(0.8),
    operators: chance.chance(0.5),
    calls: dice('calls', seed).chance(0.6),
  };
}

const ORDERS: [Block['order'], ...Block['order'][]] = ['sequence', 'graph', 'graph'];

const AGENT_ENTRIES: NonNullable<Plan['agents']> = Object.fromEntries(
  ['lead', HELPER, ...AGENTS].map((id) => [id, { definition: 'd', reportsTo: 'human' }]),
);

interface Maker {
  children: Record<string, Plan>;
  lists: Record<string, Json[]>;
  block(order: Block['order'], length: number, depth: number, outside: readonly string[]): Step[];
}

function createMaker(chance: Dice, prefix: string): Maker {
  const children: Maker['children'] = {};
  const lists: Maker['lists'] = {};
  let count = 0;

  function block(order: Block['order'], length: number, depth: number, outside: readonly string[]): Step[] {
    const steps: Step[] = [];
    for (let i = 0; i < length; i++) steps.push(makeStep(order, steps, depth, outside));
    return steps;
  }

  function makeStep(order: Block['order'], before: readonly Step[], depth: number, outside: readonly string[]): Step {
    count += 1;
    const id = `${prefix}${count}`;
    const after =
      order === 'graph'
        ? chance
            .some(before, 0.5)
            .slice(-2)
            .map((step) => step.id)
        : [];
    const upstream = order === 'graph' ? reachable(before, after) : [...before];
    const judged = upstream.filter(({ kind }) => kind === 'agent' || kind === 'command' || kind === 'for_each' || kind === 'group');
    const readers = upstream.filter(({ kind }) => kind === 'review');
    const condition = chance.chance(0.12) ? chance.pickAny(readers) : undefined;
    const inputs = [...chance.some(upstream, 0.5).map((step) => step.id), ...chance.some(outside, 0.2)];
    const base: Partial<StepBase> = {
      ...(order === 'graph' ? { after } : {}),
      ...(inputs.length > 0 ? { inputs } : {}),
      ...(condition ? { when: verdictIs(condition.id, chance.pick(['pass', 'revise'])) } : {}),
      ...errors(upstream, id),
    };
    const kind = chance.pick(KINDS);
    if (BUDGETED.includes(kind) && chance.chance(0.15)) base.budget = { tokens: chance.whole(50, 900) };
    const of = chance.pickAny(judged);
    switch (kind) {
      case 'review':
        return of ? makeReview(id, of, upstream, base) : agent(id, { ...base, agent: chance.pick(AGENTS) });
      case 'approval':
        return approval(id, { ...base, ...policy(upstream) });
      case 'input':
        return input(id, { ...base, ...askable(), ...(chance.chance(0.3) ? { approvers: [chance.pick(PEOPLE), 'ann'] } : {}) });
      case 'notify':
        return inChain(order, before, { kind: 'notify', id, channel: '#news', message: [], ...base });
      case 'wait':
        return wait(id, {
          ...base,
          ...(chance.chance(0.6) ? { forMs: chance.whole(1, 300) * SECOND } : { signal: 'ping', ...timeout(0.7) }),
        });
      case 'parallel':
        return depth > 1 ? command(id, base) : makeParallel(id, depth, base, [...outside, ...upstream.map((step) => step.id)]);
      case 'group':
        return depth > 1
          ? command(id, base)
          : { ...group(id, block('sequence', chance.whole(1, 3), depth + 1, names(outside, upstream))), ...base };
      case 'loop':
        return depth > 1 ? command(id, base) : makeLoop(id, depth, base, names(outside, upstream));
      case 'repeat':
        return depth > 1 ? command(id, base) : makeRepeat(id, depth, base, names(outside, upstream));
      case 'switch':
        return depth > 1 ? command(id, base) : makeSwitch(id, depth, base, names(outside, upstream));
      case 'child':
        return depth > 0 ? command(id, base) : makeChild(id, base);
      case 'asking':
        return command(id, { ...base, approval: { ...(chance.chance(0.5) ? { onReject: rejections(upstream) } : {}) } });
      case 'command':
        return inChain(order, before, command(id, base));
      default:
        return agent(id, { ...base, agent: chance.pick(AGENTS) });
    }
  }

  function makeReview(id: string, of: Step, upstream: readonly Step[], base: Partial<StepBase>): Step {
    const targets = upstream.filter((step) => step.kind !== 'review' || chance.chance(0.3));
    const target = chance.chance(0.7) ? of : (chance.pickAny(targets) ?? of);
    const after = base.after && !base.after.includes(of.id) ? { after: [...base.after, of.id] } : {};
    return review(id, of.id, {
      ...base,
      ...after,
      agent: chance.pick(AGENTS),
      onRevise: [{ kind: 'retry', step: target.id, max: chance.whole(0, 3) }],
      ...(chance.chance(0.5) ? { onBlock: chance.pick(BLOCKS) } : {}),
      ...(chance.chance(0.2) ? { critic: 'critic' } : {}),
      ...(chance.chance(0.2) ? { stallRounds: chance.whole(1, 2) } : {}),
    });
  }

  function makeParallel(id: string, depth: number, base: Partial<StepBase>, outside: readonly string[]): Step {
    const branches = block('graph', chance.whole(1, 3), depth + 1, outside).map((step) => ({ ...step, after: [] }));
    const alone = branches.map((step) => (step.kind === 'review' ? command(step.id, { after: [] }) : withoutSiblings(step, branches)));
    const waiting = chance.pick([undefined, undefined, 'any' as const, { quorum: 0.5 }]);
    return parallel(id, alone, {
      ...base,
      ...(waiting ? { wait: waiting } : {}),
      ...timeout(0.3),
      ...(chance.chance(0.3) ? { maxConcurrent: 1 } : {}),
    });
  }

  function makeLoop(id: string, depth: number, base: Partial<StepBase>, outside: readonly string[]): Step {
    lists[id] = Array.from({ length: chance.whole(0, 4) }, (_, i) => i);
    return forEach(id, block('sequence', chance.whole(1, 3), depth + 1, outside), {
      ...base,
      ...(chance.chance(0.6) ? { maxConcurrent: chance.whole(2, 3) } : {}),
      ...(chance.chance(0.3) ? { pauseMs: 60 * SECOND, batchSize: chance.whole(1, 2) } : {}),
      ...timeout(0.2),
    });
  }

  function makeRepeat(id: string, depth: number, base: Partial<StepBase>, outside: readonly string[]): Step {
    const steps = block('sequence', chance.whole(1, 3), depth + 1, outside);
    const lastInputs = chance.some(steps, 0.4).map((step) => step.id);
    const reading = steps.map((step) => ({ ...step, ...(lastInputs.length > 0 && chance.chance(0.5) ? { lastInputs } : {}) }));
    return repeat(id, reading, chance.whole(1, 5), {
      ...base,
      max: chance.whole(1, 3),
      ...(chance.chance(0.6) ? { onExhausted: chance.pick(EXHAUSTED) } : {}),
      ...timeout(0.2),
    });
  }

  /** Makes a switch. As with the compiler, at most one of its conditions holds. */
  function makeSwitch(id: string, depth: number, base: Partial<StepBase>, outside: readonly string[]): Step {
    const cases = block('graph', chance.whole(1, 3), depth + 1, outside).map((step) => ({ ...step, after: [] }));
    const chosen = chance.whole(0, cases.length);
    const alone = cases.map((step) => (step.kind === 'review' ? command(step.id, { after: [] }) : withoutSiblings(step, cases)));
    const conditional = alone.map((step, i) => ({ ...step, when: { kind: 'literal' as const, value: i === chosen } }));
    return oneOf(id, conditional, { ...base, ...timeout(0.2) });
  }

  function makeChild(id: string, base: Partial<StepBase>): Step {
    const name = `child_${id}`;
    const inner = createMaker(dice('child', id, chance.roll()), `${id}_`);
    const steps = inner.block('sequence', chance.whole(1, 3), 1, []);
    children[name] = planOf(steps, { name, agents: AGENT_ENTRIES });
    Object.assign(lists, inner.lists);
    return pipeline(id, name, { ...base, ...timeout(0.15) });
  }

  function errors(upstream: readonly Step[], id: string): Partial<StepBase> {
    const target = chance.pickAny(upstream)?.id ?? id;
    return {
      ...(chance.chance(0.3) ? { onError: chance.pick<Action[]>([...ERRORS, [{ kind: 'retry', step: target, max: 1 }]] as never) } : {}),
      ...(chance.chance(0.2) ? { retry: makeRetry() } : {}),
    };
  }

  const makeRetry = (): RetryPolicy => ({ max: chance.whole(2, 3), delayMs: chance.whole(0, 20) * SECOND });

  function policy(upstream: readonly Step[]): Partial<ApprovalStep> {
    const approvers = chance.chance(0.5) ? chance.some(PEOPLE, 0.6) : [];
    const most = approvers.length > 0 ? approvers.length : PEOPLE.length;
    const quorum = chance.chance(0.4) ? chance.whole(1, most) : 1;
    return {
      ...askable(),
      ...(approvers.length > 0 ? { approvers } : {}),
      ...(quorum > 1 ? { quorum } : {}),
      ...(chance.chance(0.15) ? { fourEyes: true as const } : {}),
      ...(chance.chance(0.4) ? { onTimeout: chance.pick(['approve', 'reject', 'escalate', 'conservative'] as const) } : {}),
      ...(chance.chance(0.5) ? { onReject: rejections(upstream) } : {}),
    };
  }

  function askable(): Pick<Partial<ApprovalStep>, 'channel' | 'timeoutMs' | 'remindMs'> {
    return {
      ...(chance.chance(0.4) ? { channel: '#approvals' } : {}),
      ...timeout(0.5),
      ...(chance.chance(0.3) ? { remindMs: chance.whole(10, 60) * 60 * SECOND } : {}),
    };
  }

  function rejections(upstream: readonly Step[]): Action[] {
    const target = chance.pickAny(upstream)?.id;
    const back: Action[] = target === undefined ? [{ kind: 'stop' }] : [{ kind: 'retry', step: target, max: chance.whole(1, 2) }];
    return chance.pick<Action[]>([
      back,
      back,
      [{ kind: 'continue' }],
      [{ kind: 'skip_rest' }],
      [{ kind: 'escalate', to: { kind: 'human' } }],
    ]);
  }

  const timeout = (likely: number): { timeoutMs?: number } =>
    chance.chance(likely) ? { timeoutMs: chance.whole(1, 60) * 60 * SECOND } : {};

  return { children, lists, block };
}
