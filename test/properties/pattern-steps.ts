import { OTHER_ATTEMPTS } from '../../kinds/escalate/model';
import { LEVEL_ANSWER_READS, PERSON_CHOICES } from '../../kinds/escalate/rules/issue';
import { EXECUTOR_PART, FINAL_PART, HALF, VALIDATOR_PART } from '../../kinds/increments/model';
import { INCREMENT_GATES } from '../../kinds/increments/rules/words';
import { FILES_PART, fixPart, VERIFY_PART } from '../../kinds/swarm/model';
import { DIAGNOSIS_READS, FIX_READS } from '../../kinds/swarm/rules/diagnosis';
import { TRACK_SIDES } from '../../kinds/tracks/rules/alignment';
import { defined } from '../../plan/defined';
import { ADVICE_READS, URGENCIES, URGENCY_MS } from '../../plan/patterns/advice';
import { VOTE_READS } from '../../plan/people/vote';
import type { Action } from '../../plan/steps/action';
import { MERGES } from '../../plan/steps/merged-output';
import { partId } from '../../plan/steps/part-id';
import type {
  AgentStep,
  ApprovalStep,
  ConsensusStep,
  ConsultStep,
  EscalateStep,
  IncrementsStep,
  Step,
  StepBase,
  SwarmStep,
  TracksStep,
} from '../../plan/steps/step';
import { DEFAULT_ITEM_POLICY, ON_ALL_BLOCKED, ON_ITEM_FAILED, PRODUCER_TIMEOUT_MS } from '../../plan/steps/stream';
import type { Dice } from '../support/simulation/dice';
import { agent, approval, command, forEach } from '../support/steps';
import { makeCoordinate } from './coordinate-steps';

/** Collaboration patterns as steps of a frozen plan, with all that their keys allow. */

const MINUTE = 60_000;
const MATTER = { template: ['what it is about'] };
const AGENTS = ['worker', 'writer', 'critic'] as const;

export const PATTERN_KINDS = ['consensus', 'escalate', 'consult', 'tracks', 'stream', 'swarm'] as const;
export type PatternKind = (typeof PATTERN_KINDS)[number] | 'increments' | 'coordinate';

/** `actions` makes the actions that follow a failure. @returns one step, or a producer and the loop over its items */
export function makePattern(kind: PatternKind, base: StepBase, chance: Dice, actions: () => Action[]): Step[] {
  switch (kind) {
    case 'consensus':
      return [makeConsensus(base, chance, actions)];
    case 'escalate':
      return [makeEscalate(base, chance, chance.chance(0.4) ? actions() : undefined)];
    case 'consult':
      return [makeConsult(base, chance)];
    case 'tracks':
      return [makeTracks(base, chance, actions)];
    case 'stream':
      return makeStream(base, chance);
    case 'swarm':
      return [makeSwarm(base, chance, actions)];
    case 'increments':
      return [makeIncrements(base, chance, actions)];
    case 'coordinate':
      return [makeCoordinate(base, chance)];
  }
}

function answering(id: string, part: string, name: string, more: Partial<AgentStep> = {}): AgentStep {
  return agent(partId(id, part), { output: { name, schema: '0'.repeat(64) }, ...more }) as AgentStep;
}

function asking(id: string, part: string, more: Partial<ApprovalStep> = {}): ApprovalStep {
  return approval(partId(id, part), { comment: 'always', reads: [['decision'], ['by'], ['comment'], ['value']], ...more }) as ApprovalStep;
}

function makeConsensus(base: StepBase, chance: Dice, actions: () => Action[]): ConsensusStep {
  const { id } = base;
  const agents = AGENTS.slice(0, chance.whole(1, 3));
  const people = chance.chance(0.5) ? (['ann', 'bob'] as const).slice(0, chance.whole(1, 2)) : [];
  const vote = { reads: VOTE_READS };
  const rounds = chance.whole(1, 3);
  return {
    ...base,
    ...{ kind: 'consensus', matter: MATTER, rounds, timeoutMs: chance.whole(1, 6) * MINUTE },
    threshold: chance.pick<ConsensusStep['threshold']>([{ share: [2, 3] }, { share: [1, 2] }, { share: [1, 1] }]),
    voters: [
      ...agents.map((name) => ({ name, part: name, kind: 'agent' as const })),
      ...people.map((name) => ({ name, part: name, kind: 'person' as const })),
    ],
    onFail: actions(),
    parts: [
      ...agents.map((name) => answering(id, name, 'Vote.json', { agent: name, ...vote })),
      ...people.map((name) => asking(id, name, { approvers: [name] })),
      ...(rounds > 1 ? [answering(id, 'revise', 'Proposal.json', { agent: 'lead' })] : []),
      chance.chance(0.5) ? asking(id, 'default') : answering(id, 'default', 'Vote.json', { agent: 'lead', ...vote }),
    ],
  };
}

/** Makes an escalation. It has no `matter` if an action calls it. */
export function makeEscalate(base: StepBase, chance: Dice, onRootCause: Action[] | undefined): EscalateStep {
  const { id } = base;
  const agents = AGENTS.slice(0, chance.whole(1, 3));
  const says = { reads: LEVEL_ANSWER_READS };
  const [first = 'worker'] = agents;
  const timeout = chance.chance(0.6)
    ? { timeoutMs: chance.whole(1, 90) * MINUTE, onTimeout: chance.pick(['reject', 'conservative'] as const) }
    : {};
  return {
    ...base,
    kind: 'escalate',
    ...(base.onCall ? {} : { matter: MATTER }),
    ...(onRootCause ? { onRootCause } : {}),
    ...(chance.chance(0.3) ? { remember: true } : {}),
    levels: [
      ...agents.map((name) => ({ name, part: name, kind: 'agent' as const, attempts: chance.whole(1, 2) })),
      { name: 'human', part: 'person', kind: 'person', attempts: OTHER_ATTEMPTS },
    ],
    parts: [
      ...agents.map((name) => answering(id, name, 'Escalation.json', { agent: name, ...says })),
      asking(id, 'person', {
        choices: PERSON_CHOICES.filter((choice) => choice !== 'replan' || onRootCause !== undefined),
        onReject: [{ kind: 'continue' }],
        ...timeout,
      }),
      answering(id, 'apply', 'Escalation.json', { agent: first, ...says }),
      answering(id, 'workaround', 'Escalation.json', { agent: first, ...says }),
      ...(chance.chance(0.4) ? [command(partId(id, 'check')) as EscalateStep['parts'][number]] : []),
    ],
  };
}

function makeConsult(base: StepBase, chance: Dice): ConsultStep {
  const urgency = chance.pick(URGENCIES);
  const timeoutMs = URGENCY_MS[urgency];
  const [first, ...others] = ['consultant', 'fallback', 'second_opinion'] as const;
  const advisers = [first, ...others.filter(() => chance.chance(0.6))].map((as, i) => ({ as, name: AGENTS[i] ?? 'worker' }));
  return {
    ...base,
    ...{ kind: 'consult', matter: MATTER, topic: 'security', urgency, advisers },
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    parts: advisers.map(({ as, name }) => answering(base.id, as, 'Advice.json', { agent: name, reads: ADVICE_READS })),
  };
}

function makeTracks(base: StepBase, chance: Dice, actions: () => Action[]): TracksStep {
  const { id } = base;
  const many = chance.whole(1, 3);
  const phases = (side: string): string[] => Array.from({ length: many }, (_, i) => `${side}${i + 1}`);
  const [a, b] = TRACK_SIDES.map(phases) as [string[], string[]];
  const met = a.flatMap((phase, i) => (i === many - 1 || chance.chance(0.6) ? [{ a: phase, b: b[i] ?? '' }] : []));
  const sync = met.map((after, i) => ({
    ...{ id: `point${i + 1}`, after, by: 'lead', rounds: chance.whole(1, 2), waitMs: chance.whole(1, 5) * MINUTE },
  }));
  const integrates = chance.chance(0.5);
  return {
    ...base,
    ...{ kind: 'tracks', a: { agent: 'worker', phases: a }, b: { agent: 'writer', phases: b }, sync },
    ahead: chance.pick(['one_phase', 'one_phase', 'none'] as const),
    ...(chance.chance(0.3) ? { timeoutMs: chance.whole(1, 30) * MINUTE } : {}),
    ...(chance.chance(0.3) ? { onMisaligned: actions() } : {}),
    ...(chance.chance(0.3) ? { onBlocked: actions() } : {}),
    ...(integrates ? { integrates } : {}),
    parts: [
      ...a.map((phase) => agent(partId(id, phase), { agent: 'worker' })),
      ...b.map((phase) => agent(partId(id, phase), { agent: 'writer' })),
      ...sync.map((point) => answering(id, point.id, 'Alignment.json', { agent: 'lead' })),
      ...(integrates ? [command(partId(id, 'integration'))] : []),
    ],
  };
}

function makeSwarm(base: StepBase, chance: Dice, actions: () => Action[]): SwarmStep {
  const { id } = base;
  const agents = AGENTS.slice(0, chance.whole(2, 3));
  return {
    ...base,
    ...{ kind: 'swarm', matter: MATTER, affected: [], rounds: chance.whole(1, 2), timeoutMs: chance.whole(1, 10) * MINUTE },
    agents: agents.map((name) => ({ name, part: name, perspective: 'what it knows' })),
    pausesOthers: chance.chance(0.6),
    onFail: actions(),
    parts: [
      ...agents.map((name) => answering(id, name, 'Diagnosis.json', { agent: name, reads: DIAGNOSIS_READS })),
      command(partId(id, FILES_PART)),
      ...agents.map((name) => answering(id, fixPart(name), 'Fix.json', { agent: name, reads: FIX_READS })),
      command(partId(id, VERIFY_PART)),
    ],
  };
}

/** Makes a delivery in increments, whose parts all work in one worktree. */
function makeIncrements(base: StepBase, chance: Dice, actions: () => Action[]): IncrementsStep {
  const { id } = base;
  const worktree = { of: id };
  const timeoutMs = chance.whole(1, 30) * MINUTE;
  const [first, ...others] = INCREMENT_GATES;
  const gates = [first, ...others.filter(() => chance.chance(0.4))];
  const validator = chance.chance(0.5) ? 'critic' : undefined;
  const isFinal = chance.chance(0.6);
  return {
    ...base,
    ...{ kind: 'increments', matter: MATTER, worktree: {}, executor: 'worker', ...defined({ validator }), gates },
    ...{ fixes: chance.whole(0, 2), taskTimeoutMs: chance.whole(1, 20) * MINUTE, timeoutMs },
    blockedShare: chance.pick<IncrementsStep['blockedShare']>([HALF, { share: [1, 1] }, { share: [1, 4] }]),
    onBlocked: actions(),
    parts: [
      answering(id, EXECUTOR_PART, 'Increment_Report.json', { agent: 'worker', worktree, reads: [['summary'], ['blocked']] }),
      ...gates.map((gate) => command(partId(id, gate), { worktree, timeoutMs })),
      ...(validator
        ? [
            answering(id, VALIDATOR_PART, 'Validation.json', {
              agent: validator,
              worktree,
              reads: [['verdict'], ['suggestion'], ['findings']],
            }),
          ]
        : []),
      ...(isFinal ? [command(partId(id, FINAL_PART), { worktree, timeoutMs })] : []),
    ] as IncrementsStep['parts'],
  };
}

/** Longer than the rescue of a run lasts, so that a producer that is held back without reason is found. */
const MOST_PATIENT_MS = 1000 * 60 * MINUTE;

/** A loop after a producer, for which it waits only to begin. */
function makeStream(base: StepBase, chance: Dice): Step[] {
  const { id, after, onError, ...rest } = base;
  const emits = { name: 'Item.json', schema: '0'.repeat(64), maxItems: 100, maxWaiting: chance.whole(1, 4), key: ['id'] };
  const order = { ...(chance.chance(0.5) ? { depends: ['depends'] } : {}), ...(chance.chance(0.3) ? { files: ['files'] } : {}) };
  const producer = { ...rest, ...(after ? { after } : {}), emits: { ...emits, ...order } };
  const steps = [chance.chance(0.5) ? agent(`${id}i`) : command(`${id}i`), ...(chance.chance(0.4) ? [agent(`${id}j`)] : [])];
  const policy = {
    ...DEFAULT_ITEM_POLICY,
    ...{ timeoutMs: chance.whole(2, 15) * MINUTE, fixes: chance.whole(0, 2) },
    ...{ onFailed: chance.pick(ON_ITEM_FAILED), onAllBlocked: chance.pick(ON_ALL_BLOCKED) },
  };
  const loop = {
    stream: id,
    ...(after ? { after: [id] } : {}),
    ...(onError ? { onError } : {}),
    ...(chance.chance(0.7) ? { policy } : {}),
    ...(chance.chance(0.5) ? { maxConcurrent: chance.whole(2, 3) } : {}),
  };
  const { items: _none, ...each } = forEach(`${id}e`, steps, loop) as Extract<Step, { kind: 'for_each' }>;
  const made = chance.chance(0.5) ? agent(id, producer) : command(id, producer);
  return [{ ...made, timeoutMs: chance.pick([PRODUCER_TIMEOUT_MS, MOST_PATIENT_MS, MOST_PATIENT_MS]) }, each];
}

/** A parallel step that takes the branches that finish in time, and merges their lists. */
export function merging(step: Extract<Step, { kind: 'parallel' }>, chance: Dice): Step {
  return { ...step, wait: 'some', timeoutMs: chance.whole(1, 10) * MINUTE, merge: { how: chance.pick(MERGES), key: 'id' } };
}
