import { formatPath, parseAddress } from '../../plan/address';
import type { SignalPayload } from '../../plan/signal';
import { send } from './envelopes';
import type { NotApplied, Planned } from './inbound';
import type { Interpreter } from './interpreter';
import { ADMISSION, type Run } from './run';
import type { StepRecord } from './state';

/** What operators can do: pause, unpause, retry or skip what is held, abort, and write to an agent. */

export function planPause(it: Interpreter, name: 'pause' | 'unpause', payload: SignalPayload): Planned {
  const { run } = it;
  const { by, reason } = payload;
  if (name === 'pause') {
    if (run.state.paused) return { outcome: 'duplicate', reason: 'the run is paused already' };
    return {
      apply: () => {
        run.state.paused = { ...(by === undefined ? {} : { by }), ...(reason === undefined ? {} : { reason }) };
        run.journal.add({ kind: 'run', state: 'paused', ...run.state.paused });
        it.changed('gates');
      },
    };
  }
  if (!run.state.paused) return { outcome: 'refused', reason: 'the run is not paused' };
  return {
    apply: () => {
      delete run.state.paused;
      run.journal.add({
        kind: 'run',
        state: 'running',
        ...(reason === undefined ? {} : { reason }),
        ...(by === undefined ? {} : { by }),
      });
      run.wake(ADMISSION);
      it.pump();
      it.changed('gates');
    },
  };
}

export function planOperation(it: Interpreter, name: 'retry' | 'skip' | 'abort', payload: SignalPayload): Planned {
  const { run } = it;
  if (name === 'abort') {
    const who = payload.by ?? 'an operator';
    const why = payload.reason === undefined ? '' : `: ${payload.reason}`;
    return { apply: () => run.end({ kind: 'failed', code: 'run.aborted', message: `aborted by ${who}${why}` }) };
  }
  const found = heldStep(run, payload.step);
  if ('outcome' in found) return found;
  const { path, record } = found;
  return {
    step: run.name(path),
    apply: () => {
      if (name === 'skip') {
        record.operator = {
          kind: 'skip',
          ...(payload.by === undefined ? {} : { by: payload.by }),
          ...(payload.reason === undefined ? {} : { reason: payload.reason }),
        };
      } else {
        record.operator = { kind: 'retry' };
        if (payload.with !== undefined) record.with = payload.with;
      }
      run.wake(`operator:${path}`);
    },
  };
}

function heldStep(run: Run, named: string | undefined): { path: string; record: StepRecord } | NotApplied {
  const held = Object.entries(run.state.records).flatMap(([path, record]) =>
    record.state === 'held' && !record.operator ? [{ path, record }] : [],
  );
  const list = held.map(({ path }) => run.name(path)).join(', ') || 'none';
  const [only, second] = held;
  if (named === undefined) {
    if (only && !second) return only;
    return { outcome: 'misdirected', reason: only ? `several steps are held, name one: ${list}` : 'no step is held' };
  }
  const address = parseAddress(named);
  const path = address ? formatPath(address.path) : named;
  const fits = held.filter((step) => step.path === path || step.path.endsWith(`/${path}`));
  const [match, another] = fits;
  if (match && !another) return match;
  if (another) return { outcome: 'misdirected', reason: `"${named}" could be ${fits.map((step) => run.name(step.path)).join(' or ')}` };
  const meant = Object.entries(run.state.records).find(([other]) => other === path || other.endsWith(`/${path}`));
  if (!meant && !run.steps.has(path)) return { outcome: 'misdirected', reason: `there is no step "${path}"; held: ${list}` };
  const [full, { state }] = meant ?? [path, { state: 'pending' }];
  return { outcome: 'misdirected', reason: `${full} is ${state}, not held; held: ${list}` };
}

const INBOX_LIMIT = 1000;

export function planMessage(it: Interpreter, payload: SignalPayload): Planned {
  const { run } = it;
  const { to, content } = payload;
  if (to === undefined || content === undefined) return { outcome: 'unreadable', reason: 'message needs "to" and "content"' };
  const agents = Object.keys(run.plan.agents ?? {});
  if (!agents.includes(to)) return { outcome: 'misdirected', reason: `there is no agent "${to}"; agents: ${agents.join(', ') || 'none'}` };
  const inbox = Object.hasOwn(run.state.messages, to) ? (run.state.messages[to] ?? []) : [];
  if (inbox.length >= INBOX_LIMIT) return { outcome: 'refused', reason: `the inbox of ${to} is full (${INBOX_LIMIT} messages)` };
  const from = payload.from ?? payload.by ?? 'human';
  return {
    apply: () => {
      run.state.messages[to] = [...inbox, { from, content, at: new Date(run.ctx.now()).toISOString() }];
      send(run, undefined, { from, to, intent: 'notify', payload: content, expect_response: false });
    },
  };
}
