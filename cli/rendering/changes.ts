import type { RoundView, RunView, StepState, StepView } from '../../plan/status';
import type { Colors } from '../terminal';
import { oneLine, pad } from './printable';
import { runState, stepState, verdictWord } from './states';
import { readableAddress } from './step-tree';
import { duration } from './time';

/**
 * What happened between two looks at a run, for output that cannot be redrawn: a line a change, each once.
 * A step that went through several states between the looks is told by where it arrived.
 */
export type Change =
  | { kind: 'run'; state: RunView['state'] }
  | { kind: 'progress'; at: string; done: number; total: number }
  | { kind: 'step'; at: string; agent?: string; state: StepState; round: RoundView; aside?: true; decision?: StepView['decision'] };

export function changesBetween(before: RunView | undefined, after: RunView): Change[] {
  const known = new Map((before?.steps ?? []).flatMap(roundsOf).map(({ round }) => [round.address, round.state]));
  const changes: Change[] = [];
  for (const step of after.steps) {
    for (const { round, current } of roundsOf(step)) {
      const was = known.get(round.address);
      // An earlier round that was seen to its end is only moved aside.
      if (was === round.state || (!current && was !== undefined && was !== 'pending' && was !== 'running')) continue;
      if (was === undefined && round.state === 'pending') continue;
      changes.push({
        kind: 'step',
        at: readableAddress(round.address),
        state: current ? round.state : round.error === undefined ? 'done' : 'failed',
        round,
        ...(current ? {} : { aside: true as const }),
        ...(step.agent === undefined ? {} : { agent: step.agent }),
        ...(current && step.decision !== undefined ? { decision: step.decision } : {}),
      });
    }
  }
  changes.push(...progressBetween(before, after));
  // An earlier round was over before any step of a later one began, whenever it was set aside.
  changes.sort((a, b) => roundOf(a) - roundOf(b) || timeOf(a).localeCompare(timeOf(b)));
  if (before?.state !== after.state) {
    // A run that begins to move is told before what moves, one that rests or ends after it.
    const told: Change = { kind: 'run', state: after.state };
    if (after.state === 'running') changes.unshift(told);
    else changes.push(told);
  }
  return changes;
}

/** A loop's iterations that are done are not listed one by one: it is told at every tenth of them, or each where they are few. */
function progressBetween(before: RunView | undefined, after: RunView): Change[] {
  const known = new Map((before?.steps ?? []).map((step) => [step.address, step.iterations?.done ?? 0]));
  return after.steps.flatMap((step): Change[] => {
    if (step.iterations === undefined || step.state !== 'running') return [];
    const { done, total } = step.iterations;
    const part = Math.max(1, Math.floor(total / 10));
    if (Math.floor(done / part) <= Math.floor((known.get(step.address) ?? 0) / part)) return [];
    return [{ kind: 'progress', at: readableAddress(step.address), done, total }];
  });
}

/** Earlier rounds first. */
function roundsOf(step: StepView): { round: RoundView; current: boolean }[] {
  return [...(step.superseded ?? []).map((round) => ({ round, current: false })), { round: step, current: true }];
}

function timeOf(change: Change): string {
  return change.kind !== 'step' ? '' : (change.round.endedAt ?? change.round.startedAt ?? '');
}

/** 0 for a round that was set aside, 1 for what goes on now. */
function roundOf(change: Change): number {
  return change.kind === 'step' && change.aside ? 0 : 1;
}

export function renderChange(change: Change, colors: Colors): string {
  if (change.kind === 'run') return `${pad('run', 16)}  ${runState(change.state, colors)}`;
  if (change.kind === 'progress') return `${pad(change.at, 16)}  ${change.done}/${change.total}`;
  const { round } = change;
  const facts = [pad(stepState(change.state, colors), 8)];
  if (change.state === 'running' && change.agent !== undefined) facts.push(change.agent);
  if (round.startedAt !== undefined && round.endedAt !== undefined) {
    facts.push(duration(Date.parse(round.endedAt) - Date.parse(round.startedAt)));
  }
  if (round.verdict !== undefined) facts.push(verdictWord(round.verdict.verdict, colors));
  if (round.verdict?.summary !== undefined) facts.push(oneLine(round.verdict.summary));
  if (change.decision !== undefined) {
    facts.push(`${change.decision.choice}${change.decision.by === undefined ? '' : ` by ${oneLine(change.decision.by)}`}`);
  }
  if (round.error !== undefined) facts.push(colors.red(`${round.error.code}: ${oneLine(round.error.message)}`));
  if (round.artifact?.name !== undefined && round.verdict === undefined) facts.push(colors.dim(oneLine(round.artifact.name)));
  return `${pad(change.at, 16)}  ${facts.join('  ')}`.trimEnd();
}
