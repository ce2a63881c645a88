import { defined } from '../../plan/defined';
import type { ArtifactRef } from '../../plan/run/artifact';
import type { PartEnd } from '../../workflows/interpreter/context/step-context';
import { failedSteps, retryFailed } from '../../workflows/interpreter/inbound/failed-step';
import { answerHeldStep, ownHeldSteps } from '../../workflows/interpreter/inbound/held-steps';
import type { Interpreter } from '../../workflows/interpreter/interpreter';
import { positionKeeper } from '../../workflows/interpreter/patterns/positions';
import type { Place, PlaceOf } from '../../workflows/interpreter/scheduling/place';
import { pathById } from '../../workflows/interpreter/steps/expression-scope';
import { slotOf } from '../../workflows/interpreter/worktrees/slot-of';
import type { FixOutcome } from './rules/diagnosis';
import type { SwarmNext } from './rules/turns';
import type { CheckEnd, SwarmPosition } from './state';
import type { SwarmView } from './view';

/** The shared state of a swarm: the step, and what is kept of it for people, for a further try and for its caller. */
export interface SwarmStep {
  it: Interpreter;
  place: PlaceOf<'swarm'>;
}

/** How a turn ended. */
export interface TurnEnd {
  next: SwarmNext;
  position: SwarmPosition;
  solution?: string;
}

/** How the swarm ended. */
export type SwarmEnded = Pick<TurnEnd, 'solution'> & { outcome: 'solved' | 'unsolved'; record: ArtifactRef };

export const positionsOf = (step: SwarmStep) => positionKeeper(step, 'swarm');

export function keepPosition(step: SwarmStep, position: SwarmPosition): void {
  const { round, nth } = position;
  const best = nth === undefined ? undefined : position.candidates[nth];
  const fixer = best && (step.place.step.fixer ?? best.by);
  const agents = nth === undefined ? unasked(step) : viewOf(step).agents;
  const doing = nth === undefined ? 'diagnose' : 'fix';
  const view: SwarmView = { issue: position.issue, round, rounds: step.place.step.rounds, doing, agents, ...defined({ best, fixer }) };
  positionsOf(step).keep(position, { view });
  step.it.changed();
}

/**
 * The commit to which a fix is taken back, even by a further try that finds the fix in the worktree. Undefined if the step has no worktree.
 */
export function commitBeforeFix(step: SwarmStep): string | undefined {
  const kept = positionsOf(step).kept();
  const commit = kept.next?.commit ?? currentCommit(step);
  if (kept.next && commit !== undefined) kept.next = { ...kept.next, commit };
  return commit;
}

function currentCommit({ it: { run }, place }: SwarmStep): string | undefined {
  const at = slotOf(run, place);
  return at && run.state.worktrees?.[at.slot]?.lease?.commit;
}

export function viewOf(step: SwarmStep): SwarmView {
  const kept = positionsOf(step).kept();
  kept.view ??= { issue: '', round: 1, rounds: step.place.step.rounds, doing: 'wait', agents: unasked(step) };
  return kept.view;
}

function unasked({ place }: SwarmStep): SwarmView['agents'] {
  return place.step.agents.map(({ name, perspective }) => ({ name, perspective }));
}

/** Another swarm is at work: a run has one at a time. */
export function noteWait(step: SwarmStep, { issue }: SwarmPosition, behind: string): void {
  const view = viewOf(step);
  if (view.doing === 'wait' && view.behind === behind) return;
  Object.assign(view, { issue, doing: 'wait', behind });
  const { run } = step.it;
  const reason = `waits for the swarm ${behind} to end: a run has one swarm at a time`;
  run.journal.add({ kind: 'step', step: run.name(step.place.path), state: 'running', reason });
  step.it.changed();
}

/** Names of the steps that are blocked: who calls it, and those that the file names. */
export function affectedNames({ it: { run }, place }: SwarmStep): string[] {
  const { calledBy } = run.record(place.path).brief ?? {};
  return [...new Set([...(calledBy === undefined ? [] : [run.name(calledBy)]), ...place.step.affected])];
}

/** A check outputs a report only if its tests are read. */
export function checkEnd({ place }: SwarmStep, { artifact }: PartEnd): CheckEnd {
  return place.step.readsTests ? defined({ report: artifact }) : {};
}

export function noteFix(step: SwarmStep, fix: { fixer: string; author: string; outcome: FixOutcome; rolledBack: boolean }): void {
  const { run } = step.it;
  const { fixer, author, outcome, rolledBack } = fix;
  const reason = `${fixer} applied what ${author} diagnosed: ${outcome}${rolledBack ? ', rolled back' : ''}`;
  run.journal.add({ kind: 'step', step: run.name(step.place.path), state: 'running', reason });
}

/** Nothing of its rounds is left to continue. */
export function conclude(step: SwarmStep, { outcome, solution }: SwarmEnded): void {
  const { it, place } = step;
  const positions = positionsOf(step);
  const view = { ...viewOf(step), outcome };
  const by = view.fixer;
  // How it ended the last time is not how it ends now.
  delete positions.kept().end;
  positions.conclude({ view, ...(outcome === 'solved' ? { end: { outcome, ...defined({ by, solution }) } } : {}) });
  if (outcome === 'solved') resumeAffected(it, place, place.step.affected);
  it.changed();
}

/**
 * Steps that the solved problem had blocked continue, as if an operator had retried them: held ones, and failed ones in a continuing run.
 */
function resumeAffected(it: Interpreter, from: Place, ids: readonly string[]): void {
  const { run } = it;
  const paths = new Set(ids.flatMap((id) => pathById(run, from.frame, id) ?? []));
  for (const { path, record } of ownHeldSteps(run)) {
    if (!paths.has(path)) continue;
    answerHeldStep(record, { kind: 'retry' });
    run.wake(`operator:${path}`);
  }
  for (const failed of failedSteps(it)) if (paths.has(failed.place.path)) retryFailed(it, failed);
}
