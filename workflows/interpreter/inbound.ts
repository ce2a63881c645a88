import type { Json } from '../../plan/json';
import {
  isSignalName,
  isUndecodable,
  readSignal,
  type SignalName,
  type SignalOutcome,
  type SignalPayload,
  type SignalReceipt,
} from '../../plan/signal';
import { unreachable } from '../../plan/unreachable';
import { UpdateRefused } from '../run-context';
import { planDecision } from './decisions';
import { gateView, openGates } from './gates';
import type { Interpreter } from './interpreter';
import { planMessage, planOperation, planPause } from './operations';
import type { Run } from './run';

/**
 * What people and operators send. A signal can never fail the run or be lost: one that changes nothing is written into the
 * journal with what became of it. An update that would change nothing is refused at once.
 *
 * Invariants: 1. planning only reads; 2. a message is planned and applied within the call that brings it, so of two at once
 * the second meets what the first has done.
 */
export type Planned = { apply: () => void; step?: string } | NotApplied;
export interface NotApplied {
  outcome: Exclude<SignalOutcome, 'applied'>;
  reason: string;
}

/** How a message came. */
export type Via = 'signal' | 'update';

export function receiveSignal(it: Interpreter, name: string, payload: unknown): void {
  const read = readInbound(name, payload);
  const planned = 'outcome' in read ? read : planFor(it, read.name, read.payload, 'signal');
  if ('apply' in planned) {
    apply(it, name, byOf(payload), planned);
    return;
  }
  const { outcome, reason } = planned;
  it.run.journal.add({ kind: 'signal', name, outcome, reason, ...byOf(payload), payload: excerpt(payload) });
}

/** Throws `UpdateRefused` where the update would change nothing. */
export function checkUpdate(it: Interpreter, name: string, payload: unknown): Extract<Planned, { apply: unknown }> {
  const read = readInbound(name, payload);
  const planned = 'outcome' in read ? read : planFor(it, read.name, read.payload, 'update');
  if ('apply' in planned) return planned;
  const gates = openGates(it.run).map(({ step, gate }) => gateView(it.run, step, gate));
  const open = gates.length === 0 ? 'no gate is open' : `open gates: ${gates.map((gate) => gate.step).join(', ')}`;
  throw new UpdateRefused(planned.outcome, `${planned.reason} (${open})`, gates);
}

export function applyUpdate(it: Interpreter, name: string, payload: unknown): SignalReceipt {
  const planned = checkUpdate(it, name, payload);
  apply(it, name, byOf(payload), planned);
  return { outcome: 'applied', ...(planned.step === undefined ? {} : { step: planned.step }) };
}

function apply({ run }: Interpreter, name: string, by: { by?: string }, planned: Extract<Planned, { apply: unknown }>): void {
  const about = planned.step === undefined ? {} : { reason: `for ${planned.step}` };
  run.journal.add({ kind: 'signal', name, outcome: 'applied', ...about, ...by });
  planned.apply();
}

function readInbound(name: string, payload: unknown): { name: SignalName; payload: SignalPayload } | NotApplied {
  if (!isSignalName(name)) return { outcome: 'unknown', reason: `there is no signal "${name}"` };
  const read = readSignal(name, payload);
  return 'problem' in read ? { outcome: 'unreadable', reason: read.problem } : { name, payload: read };
}

function planFor(it: Interpreter, name: SignalName, payload: SignalPayload, via: Via): Planned {
  switch (name) {
    case 'approve':
    case 'reject':
    case 'respond':
      return planDecision(it, name, payload, via);
    case 'pause':
    case 'unpause':
      return planPause(it, name, payload);
    case 'retry':
    case 'skip':
    case 'abort':
      return planOperation(it, name, payload);
    case 'message':
      return planMessage(it, payload);
    default:
      return unreachable(name);
  }
}

function byOf(payload: unknown): { by?: string } {
  const by = typeof payload === 'object' && payload !== null && 'by' in payload ? payload.by : undefined;
  return typeof by === 'string' ? { by } : {};
}

const EXCERPT_CHARACTERS = 2000;

/** What of a payload the journal keeps: all of a small one, the beginning of a large one. */
function excerpt(payload: unknown): Json {
  if (isUndecodable(payload)) return { encoding: payload.encoding, sizeBytes: payload.sizeBytes };
  const text = JSON.stringify(payload ?? null);
  return text.length <= EXCERPT_CHARACTERS ? (JSON.parse(text) as Json) : `${text.slice(0, EXCERPT_CHARACTERS)}…`;
}

/** Ids, for messages that list what could have been meant. */
export function namesOf(run: Run, ids: readonly string[]): string {
  return ids.length === 0 ? 'none' : ids.map((id) => run.name(id)).join(', ');
}
