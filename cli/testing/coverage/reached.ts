import { holdsBranches, isApproval, iterates, judges } from '../../../kinds/questions';
import type { Plan } from '../../../plan/plan';
import { type ActionList, actionsIn, listAfter, retryIn } from '../../../plan/steps/action';
import type { Step } from '../../../plan/steps/step';
import { roundsWithoutProgress } from '../../../plan/steps/verdict';
import { stepsOfPlan } from '../../../plan/steps/walk';
import { unreachable } from '../../../plan/unreachable';
import type { TestFacts } from '../test-facts';
import { ACTION_KEYS, actionKey, type CoveredActionKey, coveredActions, stepKey, whenKey } from './points';
import { type RoundFacts, roundsOf } from './rounds';

/** The keys of the points that a run has reached. */
export function reachedBy(plan: Plan, { journal, view }: Pick<TestFacts, 'journal' | 'view'>): Set<string> {
  const reached = new Set<string>();
  const byStep = new Map<string, RoundFacts[]>();
  for (const round of roundsOf(journal, view)) byStep.set(round.step, [...(byStep.get(round.step) ?? []), round]);
  for (const step of stepsOfPlan(plan)) {
    const rounds = byStep.get(step.id) ?? [];
    const started = rounds.some((round) => round.started);
    if (started) reached.add(stepKey(step.id)).add(whenKey(step.id, true));
    if (rounds.some((round) => round.refused)) reached.add(whenKey(step.id, false));
    for (const key of ACTION_KEYS) for (const at of actionsReached(step, key, rounds)) reached.add(actionKey(step.id, key, at));
    if (started) noteContainer(plan, step.id, reached);
  }
  return reached;
}

/** A step directly within a container that has started shows that the way to it was taken. */
function noteContainer(plan: Plan, id: string, reached: Set<string>): void {
  for (const outer of stepsOfPlan(plan)) {
    if (holdsBranches(outer) && outer.branches.some((branch) => branch.id === id)) reached.add(`branch ${outer.id} ${id}`);
    if (iterates(outer) && outer.block.steps.some((step) => step.id === id)) reached.add(`body ${outer.id}`);
  }
}

/** Actions run in order until one decides: a message never does, a `retry` does until it is used up. */
function actionsReached(step: Step, key: CoveredActionKey, rounds: readonly RoundFacts[]): number[] {
  let causes = rounds.filter((round, i) => brings(key, step, round, rounds.slice(0, i))).length;
  const reached: number[] = [];
  for (const [i, action] of coveredActions(step, key).entries()) {
    if (causes <= 0) break;
    reached.push(i);
    if (!('kind' in action)) break;
    if (action.kind === 'retry' || action.kind === 'return_to_author') causes -= action.max;
    else if (action.kind !== 'notify') break;
  }
  return reached;
}

/** Whether a round triggers the actions of a key. */
function brings(key: CoveredActionKey, step: Step, round: RoundFacts, before: readonly RoundFacts[]): boolean {
  const wantsRevision = round.verdict === undefined ? round.sentBackBy === step.id : round.verdict.verdict === 'revise';
  switch (key) {
    case 'on_revise':
      return wantsRevision && round.sentBackBy === step.id && round.gates === 0;
    case 'on_unfixable':
      return isUnfixable(step, round);
    case 'on_stall':
      return isStalled(step, round, before) && blocks(step, round, wantsRevision);
    case 'on_block':
      return blocks(step, round, wantsRevision) && !isUnfixable(step, round) && !isStalled(step, round, before);
    case 'on_reject':
      return round.decisions.includes('reject') && (isApproval(step) || step.approval !== undefined);
    case 'on_exhausted':
    case 'on_fail':
      return round.exhausted;
    case 'on_blocked':
      return round.exhausted || (fails(step, round) && listOf(round) === 'onBlocked');
    case 'on_misaligned':
      return fails(step, round) && listOf(round) === 'onMisaligned';
    case 'on_root_cause':
      return round.sentBackBy === step.id || round.failure === 'escalate.root-cause';
    case 'on_conflict':
      return round.sentBackBy === step.id || (fails(step, round) && round.failure === 'merge.returned');
    case 'on_timeout':
      return round.timedOut;
    case 'on_invalid':
      return fails(step, round) && listOf(round) === 'onInvalid';
    case 'on_error':
      return fails(step, round) && !hasOwnActions(step, round);
    default:
      return unreachable(key);
  }
}

function isUnfixable(step: Step, { verdict }: RoundFacts): boolean {
  return judges(step) && step.onUnfixable !== undefined && verdict?.unfixable === true;
}

/** Whether a stall has a key of its own on the step; otherwise it counts as a block. */
function isStalled(step: Step, round: RoundFacts, before: readonly RoundFacts[]): boolean {
  if (!judges(step) || !step.onStall || step.stallRounds === undefined || round.verdict?.verdict !== 'revise') return false;
  const verdicts = [...before, round].flatMap(({ verdict }) => verdict ?? []);
  return roundsWithoutProgress(verdicts) >= step.stallRounds && before.length < (retryIn(step.onRevise)?.max ?? Number.POSITIVE_INFINITY);
}

/** A block, or a revision that is asked for and not given. */
function blocks(step: Step, round: RoundFacts, wantsRevision: boolean): boolean {
  if (!judges(step) || !round.verdict) return false;
  if (round.verdict.verdict === 'block' || round.verdict.decidedBy !== undefined) return true;
  return wantsRevision && step.onRevise !== undefined && (round.gates > 0 || round.sentBackBy === undefined);
}

/** Whether a round failed for good. A failure that people were asked about, or that was sent back, is not settled yet. */
function fails(step: Step, { failure, failed, held, gates, sentBackBy, verdict }: RoundFacts): boolean {
  if (failure === undefined) return false;
  return failed || held || (verdict === undefined && (gates > 0 || sentBackBy === step.id));
}

/** Whether the step has a key of its own for this failure. */
function hasOwnActions(step: Step, round: RoundFacts): boolean {
  const list = listOf(round);
  return list !== undefined && actionsIn(step, list) !== undefined;
}

function listOf({ failure }: RoundFacts): ActionList | undefined {
  return failure === undefined ? undefined : listAfter(failure);
}
