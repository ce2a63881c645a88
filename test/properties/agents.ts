import type { RunRequest } from '../../plan/agents/run-request';
import type { SpawnRequest } from '../../plan/agents/spawned-agent';
import type { BudgetLimits } from '../../plan/budgets/budget';
import type { Usage } from '../../plan/budgets/usage';
import { type ApprovalNeed, CATEGORIES } from '../../plan/people/category';
import { ESCALATION_DECISIONS, type EscalationAnswer } from '../../plan/steps/escalation';
import type { Pause, StepInput } from '../../plan/steps/step-activity';
import { dice } from '../support/simulation/dice';
import type { Scenario } from './scenario';

/**
 * The nature of an agent, by seed, run and address: how much it uses, which agents it spawns, and for which actions it needs leave. It has
 * no memory: the request says how far it has come, as a transcript does.
 */
export interface AgentNature {
  /** The tokens after its first request, and the sum of its tokens. */
  first: number;
  whole: number;
  /** The cost of its model is unknown. */
  isCostUnknown: boolean;
  /** Nothing limits its replies. */
  isUnlimited: boolean;
  toolCalls: number;
  children: SpawnRequest[];
  need?: ApprovalNeed;
  /** Its messages to a channel. */
  requests: RunRequest[];
}

export function natureOf(
  scenario: Scenario,
  run: string,
  address: string,
  input: StepInput,
  content: ApprovalNeed['content'],
): Omit<AgentNature, 'requests'> {
  const usage = dice(scenario.seed, 'usage', `${run} ${address}`);
  const first = usage.whole(1, 150);
  const whole = first + usage.whole(0, 150);
  const plain = { first, whole, isCostUnknown: false, isUnlimited: false, toolCalls: 0, children: [] };
  if (!scenario.calls) return plain;
  const chance = dice(scenario.seed, 'nature', run, address);
  const spawns = input.spawn === undefined && input.escalation === undefined && chance.chance(0.2);
  const category = CATEGORIES[chance.whole(0, CATEGORIES.length - 1)] ?? 'deploy';
  const need: ApprovalNeed = { category, summary: 'transfer', contentSha256: digestOf(`call of ${address}`), content };
  return {
    ...plain,
    isCostUnknown: chance.chance(0.15),
    isUnlimited: dice(scenario.seed, 'adapter', run, address).chance(0.15),
    toolCalls: chance.whole(0, 4),
    children: spawns ? childrenOf(address, chance.whole(1, 3)) : [],
    ...(input.escalation === undefined && chance.chance(0.12) ? { need } : {}),
  };
}

/** The messages of an agent to a channel while it works. The text of a message is also its id. */
export function saysOf({ seed, calls }: Scenario, run: string, address: string, agent: string): RunRequest[] {
  const chance = dice(seed, 'says', run, address);
  const many = calls && chance.chance(0.4) ? chance.whole(1, 2) : 0;
  const ids = Array.from({ length: many }, (_, i) => `${address}/request-${i + 1}`);
  return ids.map((id) => ({ id, agent, kind: 'notify', channel: '#news', message: id }));
}

function childrenOf(address: string, count: number): SpawnRequest[] {
  return Array.from({ length: count }, (_, i) => ({ id: `${address}/spawn-${i + 1}`, agent: 'helper', task: 'look it up' }));
}

/** The pause if the agent cannot begin, or cannot continue after its first request, with the tokens that it has used by then. */
export function pauseBefore(nature: AgentNature, budget: BudgetLimits): Pause | undefined {
  if (nature.isCostUnknown && budget.costMicroUsd !== undefined && budget.onUnknownCost === 'hold')
    return { kind: 'budget', short: { kind: 'unknownCost', model: 'odd' } };
  if (nature.isUnlimited && budget.costMicroUsd !== undefined && budget.onUnlimited !== 'allow')
    return { kind: 'budget', short: { kind: 'unlimited', adapter: 'odd' } };
  return shortOf(nature, budget, nature.first);
}

export function pauseWithin(
  nature: AgentNature,
  budget: BudgetLimits,
  { spawned = [], approvals = [], runRequests = [] }: StepInput,
): Pause | undefined {
  const { children, need, requests, toolCalls, whole } = nature;
  if (budget.toolCalls !== undefined && budget.toolCalls < toolCalls)
    return { kind: 'budget', short: { kind: 'toolCalls', needed: toolCalls } };
  if (requests.some(({ id }) => !runRequests.includes(id))) return { kind: 'run-requests', runRequests: requests };
  if (children.some(({ id }) => !spawned.some((result) => result.id === id))) return { kind: 'spawned', children };
  if (need && !approvals.some(({ contentSha256 }) => contentSha256 === need.contentSha256)) return { kind: 'approval', need };
  return shortOf(nature, budget, whole);
}

/** A token costs a millionth of a dollar. */
function shortOf({ isCostUnknown }: AgentNature, budget: BudgetLimits, needed: number): Pause | undefined {
  for (const kind of ['tokens', 'costMicroUsd'] as const) {
    if (kind === 'costMicroUsd' && isCostUnknown) continue;
    if ((budget[kind] ?? Number.POSITIVE_INFINITY) < needed) return { kind: 'budget', short: { kind, needed } };
  }
  return undefined;
}

export function usageOf({ isCostUnknown }: Pick<AgentNature, 'isCostUnknown'>, tokens: number): Usage {
  return { inputTokens: tokens, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, costMicroUsd: isCostUnknown ? null : tokens };
}

export function escalationAnswer(scenario: Scenario, run: string, address: string): EscalationAnswer | undefined {
  const chance = dice(scenario.seed, 'chief', run, address);
  if (chance.chance(0.1)) return undefined;
  return { decision: chance.pick(ESCALATION_DECISIONS), rationale: 'so be it' };
}

export function digestOf(text: string): string {
  return Buffer.from([...text].reverse().join(''))
    .toString('hex')
    .padEnd(64, 'e')
    .slice(0, 64);
}
