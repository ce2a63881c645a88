import { shownOf } from '../kinds/questions';
import { traitsOf } from '../kinds/traits';
import { defined } from '../plan/defined';
import type { RunView, StepView } from '../plan/run/status';
import { isUnderWay } from '../plan/run/step-state';
import { isWithin, pathIn } from '../plan/steps/address';
import { attemptId } from './live-progress';
import type { PendingActivity } from './pending-activities';
import { firstLine, type WaitReason } from './wait-reason';

/** What one step waits for: nothing if what is within it speaks for itself. */
export function stepReasons(step: StepView, view: RunView, underWay: readonly PendingActivity[]): WaitReason[] {
  const at = readable(step);
  const since = step.startedAt === undefined ? {} : { since: step.startedAt };
  // A message on its way counts as not delivered yet.
  const works = underWay.filter(({ address }) => isTryOf(address, step) && !NOTICE.test(address));
  if (works.length > 0) return works.map((work) => workReason(step, at, work));
  if (step.state !== 'running' && step.state !== 'waiting') return [];
  // What is asked within a role team says more than the step.
  const isAskedWithin = (gate: string): boolean => traitsOf(step.kind).roleTeam === true && isWithin(pathIn(gate), pathIn(step.address));
  if (step.child !== undefined || view.gates.some((gate) => sameStep(step, gate.step) || isAskedWithin(gate.step))) return [];
  const retry = /^try (\d+) at (\S+)$/.exec(step.waitingFor ?? '');
  if (retry)
    return [
      {
        kind: 'retry',
        step: at,
        text: `try ${retry[1]} begins${step.error ? `, after: ${firstLine(step.error.message)}` : ''}`,
        until: retry[2] ?? '',
        ...since,
      },
    ];
  const shown = shownOf(step);
  if (step.waitingFor !== undefined && step.storeSince !== undefined)
    return [{ kind: 'waits', step: at, text: `${step.waitingFor}${FOR_LONG}`, since: step.storeSince }];
  if (step.waitingFor !== undefined) {
    return [{ kind: 'waits', step: at, text: step.waitingFor, ...since, ...defined({ until: shown?.words.until?.(shown.view) }) }];
  }
  const current = shown?.words.current?.(shown.view);
  if (current !== undefined) return [{ kind: 'waits', step: at, text: current, ...since }];
  const waits = shown?.words.waits?.(shown.view) ?? [];
  if (waits.length > 0) return waits.map((wait) => ({ kind: 'waits', step: at, ...wait }));
  // What is within a step speaks for itself.
  if (
    traitsOf(step.kind).container ||
    view.steps.some((inner) => isUnderWay(inner.state) && isWithin(pathIn(inner.address), pathIn(step.address)))
  )
    return [];
  return [{ kind: 'works', step: at, text: `${step.agent ?? step.kind} is running`, ...since }];
}

const FOR_LONG = ', which takes milliseconds: if it goes on, the worker cannot use the artifact store, and the log of the worker says why';

const NOTICE = /\/notify-\d+$/;

function workReason(step: StepView, at: string, work: PendingActivity): WaitReason {
  const who = step.agent ?? step.kind;
  const facts = [
    work.progress?.kind === 'agent' ? `turn ${work.progress.turn}` : '',
    work.attempt > 1 ? `attempt ${work.attempt}` : '',
    work.state === 'paused' ? 'paused on the server' : '',
    work.heartbeat === undefined ? '' : `last heartbeat ${work.heartbeat}`,
    work.lastFailure === undefined ? '' : `last failed with: ${firstLine(work.lastFailure)}`,
  ].filter((fact) => fact !== '');
  return {
    kind: work.untaken ? 'waits' : work.nextAttempt === undefined ? 'works' : 'retry',
    step: at,
    text: [
      work.untaken ? 'waits for a worker' : work.nextAttempt === undefined ? `${who} is running` : `${who} will be retried`,
      ...facts,
    ].join(', '),
    ...sinceOf(step, work),
    ...defined({ until: work.nextAttempt }),
    ...(work.state === 'paused' ? { who: 'an operator of the server: temporal activity unpause' } : {}),
  };
}

/** An activity that waits for its next attempt is scheduled in the future: it counts since its step began. */
function sinceOf({ startedAt }: StepView, { since, nextAttempt }: PendingActivity): { since?: string } {
  const at = nextAttempt === undefined ? since : startedAt;
  return at === undefined ? {} : { since: at };
}

/** An activity's id is the whole address of its step's try; parts of the step have a suffix: `bull#1~1/gate`. */
function isTryOf(activity: string, step: StepView): boolean {
  const whole = attemptId(step);
  return whole === activity || activity.startsWith(`${whole}/`);
}

export function readable({ address }: Pick<StepView, 'address'>): string {
  return address.replace(/#1(?=~|$)/, '').replace(/~1$/, '');
}

/** The gate's name has the round and no try. */
export function sameStep(step: StepView, named: string): boolean {
  return readable(step).replace(/~\d+$/, '') === named;
}
