import type { BudgetSpec } from '../../plan/budgets/budget';
import { defined } from '../../plan/defined';
import { CATEGORIES, type Category } from '../../plan/people/category';
import type { DecisionPolicy } from '../../plan/people/decision-policy';
import type { CategoryPolicy, Plan } from '../../plan/plan';
import type { Action, EscalationTarget } from '../../plan/steps/action';
import type { Block, Step } from '../../plan/steps/step';
import { type Dice, dice } from '../support/simulation/dice';

/**
 * Adds rules about people and ceilings to a pipeline: categories of action, chains with agents, delegates, rules for comments and
 * identities, budgets in dollars, time and calls. They depend on the id of each step, so the pipeline itself does not change.
 */
export const DELEGATES: NonNullable<Plan['delegates']> = { ann: ['dave'], lead: ['bob'] };
/** Agents that are asked only in chains. */
export const CHIEFS = ['chief', 'boss'] as const;
const MINUTE = 60_000;
const DOING: readonly Step['kind'][] = ['agent', 'review', 'command', 'notify', 'pipeline'];
const BUDGETED: readonly Step['kind'][] = ['agent', 'review', 'parallel', 'group', 'for_each', 'pipeline'];

export function withExtras(plan: Plan, seed: number): Plan {
  const chance = dice('extras', seed, plan.name);
  const likely = chance.pick([0, 0.1, 0.25]);
  if (likely === 0) return plan;
  const extra = (block: Block): Block =>
    unchained({ ...block, steps: block.steps.map((step) => within(stepWith(step, seed, likely), extra)) });
  const budget = chance.chance(0.3) ? { budget: { ...plan.budget, ...ceilings(chance) } } : {};
  return {
    ...plan,
    block: extra(plan.block),
    ...(plan.finally ? { finally: extra(plan.finally) } : {}),
    agents: { ...plan.agents, ...Object.fromEntries(CHIEFS.map((id) => [id, { definition: 'd', reportsTo: 'human' }])) },
    requiresApproval: Object.fromEntries(CATEGORIES.map((category) => [category, categoryPolicy(chance)])),
    ...(chance.chance(0.6) ? { delegates: DELEGATES } : {}),
    ...(chance.chance(0.5) ? { escalation: chain(chance) } : {}),
    ...budget,
  };
}

function stepWith(step: Step, seed: number, likely: number): Step {
  const chance = dice('extra', seed, step.id);
  const roll = (): boolean => chance.chance(likely);
  const category: { category?: Category } = roll() && DOING.includes(step.kind) ? { category: chance.pickAny(CATEGORIES) ?? 'deploy' } : {};
  const budget: { budget?: BudgetSpec } = roll() && BUDGETED.includes(step.kind) ? { budget: { ...step.budget, ...ceilings(chance) } } : {};
  const onError = roll() ? { onError: [escalation(chance)] } : {};
  const given = { ...step, ...category, ...budget, ...onError };
  switch (given.kind) {
    case 'review':
      return { ...given, ...(roll() ? { onBlock: [escalation(chance)] } : {}) };
    case 'approval':
      return { ...given, ...rules(chance, likely) };
    case 'input':
      return { ...given, ...(roll() ? { identity: 'proven' as const } : {}) };
    default:
      return given;
  }
}

function within(step: Step, extra: (block: Block) => Block): Step {
  if (step.kind === 'parallel') return { ...step, branches: extra({ order: 'graph', steps: step.branches }).steps };
  return 'block' in step ? { ...step, block: extra(step.block) } : step;
}

/** Like the compiler, takes steps that need a person's yes out of chains. */
function unchained(block: Block): Block {
  const steps = block.steps.map((step, i): Step => {
    if (!step.chained || (!step.category && !block.steps[i - 1]?.category)) return step;
    const { chained: _alone, ...rest } = step;
    return rest as Step;
  });
  return { ...block, steps };
}

function rules(chance: Dice, likely: number): Pick<DecisionPolicy, 'comment' | 'identity'> {
  return {
    ...(chance.chance(likely) ? { comment: chance.pick(['on_reject', 'always'] as const) } : {}),
    ...(chance.chance(likely) ? { identity: 'proven' as const } : {}),
  };
}

function categoryPolicy(chance: Dice): CategoryPolicy {
  const approvers = chance.chance(0.4) ? ['ann', 'lead', 'cleo'] : undefined;
  return {
    ...defined({ approvers }),
    ...(chance.chance(0.3) ? { quorum: 2 } : {}),
    ...rules(chance, 0.2),
    ...(chance.chance(0.4)
      ? { timeoutMs: chance.whole(1, 60) * MINUTE, onTimeout: chance.pick(['reject', 'escalate', 'conservative'] as const) }
      : {}),
  };
}

function ceilings(chance: Dice): BudgetSpec {
  return {
    ...(chance.chance(0.6) ? { costMicroUsd: chance.whole(100, 2000) } : {}),
    ...(chance.chance(0.3) ? { wallClockMs: chance.whole(1, 40) * MINUTE } : {}),
    ...(chance.chance(0.4) ? { toolCallsPerStep: chance.whole(0, 4) } : {}),
    ...(chance.chance(0.2) ? { retriesPerStep: chance.whole(0, 2) } : {}),
    ...(chance.chance(0.4) ? { onUnknownCost: chance.pick(['allow', 'hold'] as const) } : {}),
    ...(chance.chance(0.4) ? { onUnlimited: chance.pick(['allow', 'hold'] as const) } : {}),
  };
}

function escalation(chance: Dice): Action {
  return {
    kind: 'escalate',
    to: chance.pick<EscalationTarget>([
      { kind: 'agent', id: 'chief', decides: 'agent' },
      { kind: 'agent', id: 'boss', decides: 'agent' },
      { kind: 'human' },
    ]),
  };
}

/** Agents, perhaps a person before the last, and a person at the end. */
function chain(chance: Dice): EscalationTarget[] {
  const agents = CHIEFS.slice(chance.whole(0, 1)).map((id): EscalationTarget => ({ kind: 'agent', id, decides: 'agent' }));
  const first: EscalationTarget[] = chance.chance(0.4) ? [{ kind: 'human', name: 'ann', people: ['ann'] }] : [];
  return [...first, ...agents, { kind: 'human' }];
}
