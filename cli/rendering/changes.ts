import { defined } from '../../plan/defined';
import type { ErrorView, RoundView, RunView, StepView } from '../../plan/run/status';
import type { StepState } from '../../plan/run/step-state';
import type { ShownItem } from '../../plan/steps/kind-view';
import { duration } from '../../plan/text/duration';
import type { Colors } from '../terminal';
import { latestOf, timeOfRound, timeOfRun, timeOfTask } from './change-times';
import { errorLines } from './error-lines';
import { itemsWithin, kindNews } from './kind-words';
import { runStateText, stepStateText, verdictWord } from './states';
import { namedAddress, readableAddress } from './step-tree';
import { oneLine, pad } from './text/printable';

/**
 * What happened between two looks at a run, for output that cannot be redrawn: one line for each change, in the order in which they
 * happened. A step that went through several states between the looks is shown in its last.
 */
export type Change = {
  /** ISO 8601; absent: between the two looks. */
  time?: string;
} & (
  | { kind: 'run'; state: RunView['state'] }
  | { kind: 'progress'; at: string; done: number; total: number }
  | { kind: 'pattern'; at: string; words: string }
  | { kind: 'task'; at: string; task: string; engineer?: string; words: string; state: StepState }
  | {
      kind: 'step';
      at: string;
      item?: string;
      agent?: string;
      state: StepState;
      round: RoundView;
      /** The part of its failure that no step within reports. */
      error?: ErrorView;
      aside?: true;
      decision?: StepView['decision'];
    }
);

export function changesBetween(before: RunView | undefined, after: RunView): Change[] {
  const moved = [
    ...stepsBetween(before, after),
    ...progressBetween(before, after),
    ...tasksBetween(before, after),
    ...patternsBetween(before, after),
  ];
  if (before?.state !== after.state) {
    const time = timeOfRun(
      before,
      after,
      moved.map((change) => change.time),
    );
    moved.push({ kind: 'run', state: after.state, ...timed(time) });
  }
  return moved.sort((a, b) => momentOf(a) - momentOf(b) || rankOf(a) - rankOf(b) || depthOf(b) - depthOf(a));
}

function stepsBetween(before: RunView | undefined, after: RunView): Change[] {
  const known = new Map((before?.steps ?? []).flatMap(roundsOf).map(({ round }) => [round.address, round.state]));
  const errors = errorLines({ steps: after.steps });
  const changes: Change[] = [];
  for (const step of after.steps) {
    for (const { round, current } of roundsOf(step)) {
      const was = known.get(round.address);
      // An earlier round that was seen to its end is only moved aside.
      if (was === round.state || (!current && was !== undefined && was !== 'pending' && was !== 'running')) continue;
      if (was === undefined && round.state === 'pending') continue;
      const error = current ? errors.beside(step) : round.error;
      const state = current ? round.state : round.error === undefined ? 'done' : 'failed';
      changes.push({
        kind: 'step',
        at: readableAddress(round.address),
        state,
        round,
        ...defined({ error }),
        ...timed(timeOfRound({ round, state, was }, before, after)),
        ...defined({
          aside: current ? undefined : (true as const),
          agent: step.agent,
          item: step.item,
          decision: current && step.decision !== undefined ? step.decision : undefined,
        }),
      });
    }
  }
  return changes;
}

/** Finished iterations of a loop are not listed one by one: every tenth is reported, or each if they are few. */
function progressBetween(before: RunView | undefined, after: RunView): Change[] {
  const known = new Map((before?.steps ?? []).map((step) => [step.address, step.iterations?.done ?? 0]));
  return after.steps.flatMap((step): Change[] => {
    if (step.iterations === undefined || step.state !== 'running') return [];
    const { done, total } = step.iterations;
    const part = Math.max(1, Math.floor(total / 10));
    if (Math.floor(done / part) <= Math.floor((known.get(step.address) ?? 0) / part)) return [];
    return [{ kind: 'progress', at: readableAddress(step.address), done, total, time: latestOf(after) }];
  });
}

/** The state of a pattern, each time that it changes. */
function patternsBetween(before: RunView | undefined, after: RunView): Change[] {
  const known = new Map((before?.steps ?? []).map((step) => [step.address, kindNews(step)?.words]));
  return after.steps.flatMap((step): Change[] => {
    const news = kindNews(step);
    if (news === undefined || known.get(step.address) === news.words) return [];
    const time = news.isUntimed ? {} : { time: latestOf(after) };
    return [{ kind: 'pattern', at: readableAddress(step.address), words: news.words, ...time }];
  });
}

/** Tasks that an engineer has, or had. */
function tasksBetween(before: RunView | undefined, after: RunView): Change[] {
  const known = new Map((before?.steps ?? []).flatMap(tasksOf).map(({ at, task }) => [`${at} ${task.id}`, task]));
  return after.steps.flatMap(tasksOf).flatMap(({ at, task, step }): Change[] => {
    const { id, words, state, by: engineer, isNews } = task;
    const was = known.get(`${at} ${id}`);
    if (!isNews || was?.words === words) return [];
    return [
      { kind: 'task', at, task: id, words, state, ...timed(timeOfTask(task, was, step) ?? latestOf(after)), ...defined({ engineer }) },
    ];
  });
}

function tasksOf(step: StepView): { at: string; task: ShownItem; step: StepView }[] {
  const at = readableAddress(step.address);
  return itemsWithin(step).map((task) => ({ at, task, step }));
}

/**
 * The order of changes at one moment: a run begins to move before its steps do, endings come before beginnings, a run rests or ends last.
 */
function rankOf(change: Change): number {
  if (change.kind === 'run') return change.state === 'running' ? 0 : 4;
  if (change.kind === 'progress' || change.kind === 'task' || change.kind === 'pattern') return 3;
  if (change.aside) return 1;
  return change.state === 'running' || change.state === 'waiting' ? 3 : 2;
}

/** Steps within a container end before it; beginnings are in the order of the plan. */
function depthOf(change: Change): number {
  return change.kind === 'step' && !change.aside && rankOf(change) === 2 ? change.at.split('/').length : 0;
}

function momentOf({ time }: Change): number {
  return time === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(time);
}

function timed(time: string | undefined): { time?: string } {
  return time === undefined ? {} : { time };
}

/** Earlier rounds first. */
function roundsOf(step: StepView): { round: RoundView; current: boolean }[] {
  return [...(step.superseded ?? []).map((round) => ({ round, current: false })), { round: step, current: true }];
}

export function renderChange(change: Change, colors: Colors): string {
  if (change.kind === 'run') return `${pad('run', 16)}  ${runStateText(change.state, colors)}`;
  if (change.kind === 'progress') return `${pad(change.at, 16)}  ${change.done}/${change.total}`;
  if (change.kind === 'pattern') return `${pad(change.at, 16)}  ${oneLine(change.words)}`;
  if (change.kind === 'task') {
    const who = change.engineer === undefined ? '' : `${change.engineer}  `;
    return `${pad(`${change.at}: ${change.task}`, 16)}  ${who}${change.words}`;
  }
  const { round } = change;
  const facts = [pad(stepStateText(change.state, colors), 8)];
  if (change.state === 'running' && change.agent !== undefined) facts.push(change.agent);
  if (round.startedAt !== undefined && round.endedAt !== undefined) {
    facts.push(duration(Date.parse(round.endedAt) - Date.parse(round.startedAt)));
  }
  if (round.verdict !== undefined) facts.push(verdictWord(round.verdict.verdict, colors));
  if (round.verdict?.summary !== undefined) facts.push(oneLine(round.verdict.summary));
  if (change.decision !== undefined) {
    facts.push(`${change.decision.choice}${change.decision.by === undefined ? '' : ` by ${oneLine(change.decision.by)}`}`);
  }
  if (change.error !== undefined) facts.push(colors.red(`${change.error.code}: ${oneLine(change.error.message)}`));
  if (round.artifact?.name !== undefined && round.verdict === undefined) facts.push(colors.dim(oneLine(round.artifact.name)));
  return `${pad(namedAddress(change.at, change.item), 16)}  ${facts.join('  ')}`.trimEnd();
}
