import { shownOf } from '../kinds/questions';
import { traitsOf } from '../kinds/traits';
import { defined } from '../plan/defined';
import type { GateView } from '../plan/people/gate';
import { headedQuestion } from '../plan/people/headed-question';
import type { RunMemo } from '../plan/run/run-memo';
import type { RunView, StepView } from '../plan/run/status';
import { isUnderWay } from '../plan/run/step-state';
import { isWithin, pathIn } from '../plan/steps/address';
import { shortened } from '../plan/text/shortened';
import { attemptId } from './live-progress';
import type { PendingActivity } from './pending-activities';
import { skippedReasons } from './skipped-steps';

/** What a run waits for, since when, and who can clear it. Times are ISO 8601. */
export interface WaitReason {
  kind:
    | 'gate'
    | 'held'
    | 'paused'
    | 'retry'
    | 'waits'
    | 'undelivered'
    | 'raised'
    | 'skipped'
    | 'budget'
    | 'works'
    | 'child'
    | 'no-worker'
    | 'opening'
    | 'ended'
    | 'starting';
  /** Short address, of a child pipeline's step with the way to it. */
  step?: string;
  /** The name of the loop's item that the step is within. */
  item?: string;
  /** One line. */
  text: string;
  since?: string;
  /** When it ends by itself, or is tried again. */
  until?: string;
  /** When the approvers are reminded next. */
  remindAt?: string;
  /** For a gate: who started the run, if that affects who may decide, or whether anybody can. */
  note?: string;
  /** For an escalation: the answers of earlier members of the chain. */
  said?: GateView['said'];
  /** Who can clear it. Absent: nobody needs to. */
  who?: string;
  /** The data from which a gate's answer is made. */
  gate?: RunMemo['gates'][number];
}

/** Pure: from the run's own view and the server's knowledge. Blocking reasons come first. */
export function reasonsOf(view: RunView, underWay: readonly PendingActivity[]): WaitReason[] {
  if (isRunEnded(view)) return [endedReason(view), ...skippedReasons(view)];
  const reasons: WaitReason[] = [];
  const { paused, pausedForSwarm } = view;
  if (paused || view.state === 'paused') {
    const why = paused?.reason === undefined ? '' : `: ${paused.reason}`;
    reasons.push({
      kind: 'paused',
      text: `paused by ${paused?.by ?? 'an operator'}${why}`,
      who: 'an operator: unpause',
      ...defined({ since: paused?.since }),
    });
  }
  if (pausedForSwarm) {
    const { step, since } = pausedForSwarm;
    reasons.push({ kind: 'waits', step, text: 'the swarm to end: no other step starts until then', since });
  }
  for (const gate of view.gates) reasons.push(gateReason(gate, view.steps));
  reasons.push(...heldReasons(view));
  for (const step of view.steps) reasons.push(...stepReasons(step, view, underWay));
  for (const { channel, message, since, error } of view.undelivered ?? []) {
    const what = error ? `was dropped: ${error.message}` : 'is not delivered yet';
    reasons.push({
      kind: 'undelivered',
      text: `a message to ${channel} ${what}: ${firstLine(message)}`,
      since,
      who: `the operator of ${channel}`,
    });
  }
  if (reasons.length === 0) reasons.push({ kind: 'starting', text: 'the run is between steps', since: view.startedAt });
  const items = new Map(view.steps.map((step) => [readable(step), step.item]));
  return [...reasons, ...raisedReasons(view), ...skippedReasons(view)].map((reason) => ({
    ...reason,
    ...defined({ item: reason.item ?? (reason.step === undefined ? undefined : items.get(reason.step)) }),
  }));
}

/** Reasons that block nothing. */
function raisedReasons({ raised = [] }: RunView): WaitReason[] {
  return raised.map(({ step, agent, to, reason, at }) => ({
    kind: 'raised',
    step,
    text: `${agent} escalated to ${to}: ${firstLine(reason)}`,
    since: at,
  }));
}

export function isRunEnded({ state }: Pick<RunView, 'state'>): boolean {
  return state === 'completed' || state === 'rejected' || state === 'failed' || state === 'cancelled';
}

export function endedReason(view: Pick<RunView, 'state' | 'error' | 'reason' | 'endedAt'>): WaitReason {
  const error = view.error && `${view.error.step === undefined ? '' : `${view.error.step}: `}${view.error.code}: ${view.error.message}`;
  const why = [error, view.reason].filter((text) => text !== undefined).join('; ');
  return {
    kind: 'ended',
    text: `ended: ${view.state}${why === '' ? '' : `: ${why}`}`,
    ...defined({ since: view.endedAt }),
  };
}

function gateReason(gate: GateView, steps: readonly StepView[]): WaitReason {
  const { step, kind, question, approvers, quorum, approvedBy, openedAt, deadline, delegates, identity, note, said, item } = gate;
  const at = steps.find((one) => sameStep(one, step));
  const votes = quorum === undefined ? '' : ` (${approvedBy?.length ?? 0} of ${quorum} have approved)`;
  const proven = identity === 'proven' ? ', by a way that proves their identity' : '';
  return {
    kind: kind === 'budget' ? 'budget' : 'gate',
    step,
    text: `${kind === 'input' ? 'an answer' : kind === 'budget' ? 'more budget' : 'a decision'}: ${askedIn(question)}`,
    since: openedAt,
    who: `${peopleOf(approvers, delegates)}${votes}${proven}`,
    ...defined({ item, note, said }),
    gate,
    ...defined({ until: deadline, remindAt: at?.remindAt }),
  };
}

function peopleOf(approvers: GateView['approvers'], delegates: GateView['delegates']): string {
  if (!approvers || approvers.length === 0) return 'anyone';
  return approvers
    .map((name) => {
      const others = delegates?.[name] ?? [];
      return others.length === 0 ? name : `${name} (or ${others.join(', ')})`;
    })
    .join(' or ');
}

function heldReasons({ held, steps }: RunView): WaitReason[] {
  const own = steps
    .filter(({ state }) => state === 'held')
    .map((step) => ({ step: readable(step), reason: step.waitingFor ?? 'an operator' }));
  return (held ?? own).map(({ step, reason, ...rest }) => ({
    kind: 'held',
    step,
    text: `held: ${firstLine(reason)}`,
    who: 'an operator: retry, skip or abort',
    ...('since' in rest && typeof rest.since === 'string' ? { since: rest.since } : {}),
  }));
}

function stepReasons(step: StepView, view: RunView, underWay: readonly PendingActivity[]): WaitReason[] {
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

function readable({ address }: Pick<StepView, 'address'>): string {
  return address.replace(/#1(?=~|$)/, '').replace(/~1$/, '');
}

/** The gate's name has the round and no try. */
function sameStep(step: StepView, named: string): boolean {
  return readable(step).replace(/~\d+$/, '') === named;
}

const LINE = 300;
/** A first line that ends with a colon only says who asks, and a heading only what about: the question comes after it. */
function askedIn(question: string): string {
  const first = headedQuestion(question) ?? firstLine(question);
  return shortened(first.endsWith(':') ? question.trim().replace(/\s+/g, ' ') : first, LINE);
}

function firstLine(text: string): string {
  return (text.trim().split('\n')[0] ?? '').slice(0, LINE);
}
