import { defined } from '../../plan/defined';
import { ISSUE_DOCUMENT, RECORD_DOCUMENT } from '../../plan/patterns/called';
import type { ArtifactRef } from '../../plan/run/artifact';
import { composeOutput } from '../../workflows/interpreter/containers/compose';
import type { WorkEnd } from '../../workflows/interpreter/context/attempt-log';
import type { StepContext } from '../../workflows/interpreter/context/step-context';
import type { Interpreter } from '../../workflows/interpreter/interpreter';
import { decide } from '../../workflows/interpreter/patterns/decide';
import type { PlaceOf } from '../../workflows/interpreter/scheduling/place';
import type { StepRecord } from '../../workflows/interpreter/state/step-record';
import { QUICK_ACTIVITY_MS } from '../../workflows/interpreter/steps/activity-timeouts';
import { collectDiagnoses } from './diagnose';
import { tryFix } from './fix';
import type { SwarmNext } from './rules/turns';
import type { SwarmPosition } from './state';
import { affectedNames, conclude, keepPosition, noteWait, positionsOf, type SwarmEnded, type SwarmStep, viewOf } from './swarm';
import { beginSwarm, endSwarm, holdSwarm, SWARM_TURN } from './turn';
import { describeSwarm } from './view';

/**
 * All agents diagnose what blocks the run, and the best diagnosis is applied (docs/patterns.md, CP-7).
 *
 * Invariants: 1. only the rules decide which diagnosis is tried and what follows a fix (`kinds/swarm/rules/turns.ts`); 2. a round of
 * diagnoses is a turn, and so is a fix;
 * 3. a run has one swarm at a time: the next one waits; 4. a try after a failure continues in the turn that broke off.
 */
export async function performSwarm(
  it: Interpreter,
  place: PlaceOf<'swarm'>,
  _record: StepRecord,
  ctx: StepContext,
): Promise<WorkEnd | undefined> {
  const step: SwarmStep = { it, place };
  const left = ctx.once('left', () => positionsOf(step).left() ?? null);
  const first = left ?? (await gather(step, ctx));
  if (first === undefined) return { skipped: true, reason: 'there is no issue to solve' };
  await ctx.awaited('turn', { sleeper: SWARM_TURN }, () => beginSwarm(it, place, (behind) => noteWait(step, first, behind)));
  try {
    holdSwarm(it, place);
    const end = await ctx.loop('turns', first, (turn, position) => takePart(step, turn, position));
    await ctx.through('output', () => composeOutput(it, place, { kind: 'artifact', artifact: end.record }));
    ctx.once('concluded', () => conclude(step, end));
    const message = `${it.run.name(place.path)}: ${describeSwarm(viewOf(step))}`;
    if (end.outcome === 'solved') return { reason: message };
    const overruled = await ifOverruled(step, ctx, end.record);
    return { cause: { kind: 'exhausted', code: 'swarm.unsolved', message, overruled } };
  } finally {
    endSwarm(it, place);
  }
}

/** Undefined if there is nothing to solve. */
async function gather(step: SwarmStep, ctx: StepContext): Promise<SwarmPosition | undefined> {
  const { it, place } = step;
  const { artifact, values } = await decide<'gatherSwarm'>(it, place, ctx, 'issue', () => {
    // An action's issue comes before the step's own.
    const passedOn = it.run.record(place.path).brief?.given?.[ISSUE_DOCUMENT];
    const call = { rule: 'gatherSwarm', given: { affected: affectedNames(step) } } as const;
    return { call, ...(passedOn ? { documents: { [ISSUE_DOCUMENT]: passedOn } } : { readsMatter: true }) };
  });
  const turn = ctx.once('turn-before', () => positionsOf(step).firstTurn());
  const { issue, soFar } = values;
  return issue === '' ? undefined : { turn, round: 1, record: artifact, issue, candidates: [], soFar };
}

/** A turn: all agents diagnose, or one applies a diagnosis. */
async function takePart(
  step: SwarmStep,
  ctx: StepContext,
  position: SwarmPosition,
): Promise<{ next: SwarmPosition } | { done: SwarmEnded }> {
  ctx.once('position', () => keepPosition(step, position));
  const { next, solution, ...after } =
    position.nth === undefined ? await collectDiagnoses(step, ctx, position) : await tryFix(step, ctx, position);
  if (next.kind === 'end') return { done: { outcome: next.outcome, record: after.position.record, ...defined({ solution }) } };
  return { next: follow(after.position, next) };
}

function follow({ nth: _before, commit: _taken, ...position }: SwarmPosition, next: Exclude<SwarmNext, { kind: 'end' }>): SwarmPosition {
  const turn = position.turn + 1;
  return next.kind === 'fix' ? { ...position, turn, nth: next.nth } : { ...position, turn, round: next.round, candidates: [] };
}

/** Its output if a person lets it pass although it is unsolved. */
async function ifOverruled({ it, place }: SwarmStep, ctx: StepContext, record: ArtifactRef) {
  const call = { rule: 'overruleSwarm', given: {} } as const;
  const { artifact } = await decide<'overruleSwarm'>(it, place, ctx, 'overruled', () => ({
    call,
    documents: { [RECORD_DOCUMENT]: record },
  }));
  const options = { address: `${it.run.address(place.path)}/overruled-output`, startToCloseMs: QUICK_ACTIVITY_MS };
  const from = () => ({ run: it.run.ctx.info.firstRunId, from: { kind: 'artifact', artifact } as const });
  return await ctx.call('overruled-output', 'compose', from, options);
}
