import { SPAWN_SIGNAL } from '../../../plan/agents/spawned-agent';
import { TASK_SIGNAL } from '../../../plan/board/asked-task';
import { defined } from '../../../plan/defined';
import { QUEUE_SIGNAL, readAskedBy } from '../../../plan/queue/ticket';
import { CHILD_SIGNAL, PARENT_SIGNAL, readParentMessage } from '../../../plan/run/child';
import { isSignalName, isUndecodable, readSignal, type SignalName, type SignalPayload, type SignalReceipt } from '../../../plan/run/signal';
import type { Json } from '../../../plan/text/json';
import { cutAfter } from '../../../plan/text/shortened';
import { unreachable } from '../../../plan/unreachable';
import { UpdateRefused } from '../../run-context';
import { onSpawnSignal } from '../agents/spawned-agents';
import { takeAllowance } from '../budget/allowance';
import { planBudgetExtension } from '../budget/budget-commands';
import { onChildSignal } from '../containers/child-runs';
import { planDecision } from '../gates/decisions';
import { planDelegation } from '../gates/delegation';
import { gateViews } from '../gates/gate-view';
import type { Interpreter, KindCommand } from '../interpreter';
import { onQueueSignal } from '../merging/open-tickets';
import type { Run } from '../run';
import { planEmit } from '../streams/emit-command';
import { keepEarly, takeEarly } from './early-tasks';
import { whyTooLarge } from './largest';
import { planMessage, planOperation, planPause, planPostMortem } from './operations';
import { checkInBackground } from './pending-signals';
import type { Applicable, MessageSource, NotApplied, PlannedCommand } from './planned-command';
import { isAwaited, keepSignal } from './signals';

/**
 * Messages of people and operators. A signal can never fail the run or be lost: one that changes nothing is journalled with its outcome. An
 * update that would change nothing is refused at once.
 *
 * Invariants: 1. planning only reads; 2. a message is planned and applied within the call that brings it, so of two at once the second
 * meets the effect of the first.
 */

export function receiveSignal(it: Interpreter, name: string, payload: unknown): void {
  if (name === CHILD_SIGNAL) onChildSignal(it, payload);
  else if (name === PARENT_SIGNAL) parentWakes(it, payload);
  else if (name === SPAWN_SIGNAL) onSpawnSignal(it, payload);
  else if (name === QUEUE_SIGNAL) onQueueSignal(it, payload);
  else if (name === TASK_SIGNAL) onTaskSignal(it, payload);
  else if (!isSignalName(name) && isAwaited(it.run, name)) keepSignal(it, name, payload);
  else receiveCommand(it, name, payload);
  limitFloodHistory(it.run);
}

/**
 * A signal of a name that people and operators use; `sealedFor` is set if a parent has passed it on. `settled` once it is applied or
 * refused.
 */
export function receiveCommand(it: Interpreter, name: string, payload: unknown, sealedFor?: string, settled?: () => void): void {
  const read = readInbound(name, payload);
  const planned = 'outcome' in read ? read : planFor(it, read, 'signal', sealedFor);
  if (!('apply' in planned)) {
    noteRefusal(it, name, payload, planned);
    settled?.();
    return;
  }
  const { check } = planned;
  const done = (problem: NotApplied | undefined): void => {
    const ended = problem ?? planned.still?.() ?? apply(it, name, byOf(payload), planned);
    if ('reason' in ended) noteRefusal(it, name, payload, ended);
    settled?.();
  };
  if (!check) {
    done(undefined);
    return;
  }
  const full = checkInBackground(it.run, { name, payload, sealedFor, check, done });
  if (full) done(full);
}

/** Anybody can send this signal. It only makes the run look into the ledger that it names. */
function onTaskSignal(it: Interpreter, payload: unknown): void {
  const asked = readAskedBy(payload);
  if (asked) it.kinds.asked(it, asked);
}

function parentWakes(it: Interpreter, payload: unknown): void {
  if (it.parent.woken()) return;
  noteRefusal(it, PARENT_SIGNAL, payload, { outcome: 'refused', reason: 'this run has no parent' });
}

/** A word of the parent counts as if it had come here. */
export function receiveFromParent(it: Interpreter, payload: unknown): void {
  const word = readParentMessage(payload);
  if (!word) noteRefusal(it, PARENT_SIGNAL, payload, { outcome: 'unreadable', reason: 'it is not a message from a parent' });
  else if (word.kind === 'signal') {
    // The parent takes the gate for answered; it may be open still.
    receiveCommand(it, word.name, word.payload, word.sealedFor, () => it.parent.report());
  } else takeAllowance(it, word.amounts);
}

export function noteRefusal(it: Interpreter, name: string, payload: unknown, { outcome, reason }: NotApplied): void {
  it.run.journal.add({
    kind: 'signal',
    name: cutAfter(name, NAME_CHARACTERS),
    outcome,
    reason,
    ...byOf(payload),
    payload: excerpt(payload),
  });
}

/** Throws `UpdateRefused` if the update would change nothing. */
export function checkUpdate(it: Interpreter, name: string, payload: unknown): Applicable {
  const read = readInbound(name, payload);
  const planned = 'outcome' in read ? read : planFor(it, read, 'update');
  if ('apply' in planned) return planned;
  throw refusedUpdate(it, planned);
}

function refusedUpdate(it: Interpreter, { outcome, reason }: NotApplied): UpdateRefused {
  const gates = gateViews(it.run);
  const open = gates.length === 0 ? '' : ` (open gates: ${gates.map((gate) => gate.step).join(', ')})`;
  return new UpdateRefused(outcome, `${reason}${open}`, gates);
}

/** Applies an update, at once if nothing needs a check first: its answer must precede its effects. */
export function applyUpdate(it: Interpreter, name: string, payload: unknown): SignalReceipt | Promise<SignalReceipt> {
  const planned = checkUpdate(it, name, payload);
  const done = (problem?: NotApplied): SignalReceipt => {
    const ended = problem ?? apply(it, name, byOf(payload), planned);
    if ('reason' in ended) throw refusedUpdate(it, ended);
    limitFloodHistory(it.run);
    return ended;
  };
  if (!planned.check) return done();
  return planned.check().then((problem) => done(problem ?? planned.still?.()));
}

function apply({ run }: Interpreter, name: string, by: { by?: string }, planned: Applicable): SignalReceipt | NotApplied {
  const { step } = planned;
  const decided = planned.decide?.() ?? { outcome: 'applied' };
  if ('reason' in decided) return decided;
  const { about = planned.about ?? (step === undefined ? undefined : `for ${step}`), ...receipt } = decided;
  run.journal.add({ kind: 'signal', name, outcome: receipt.outcome, ...defined({ reason: about }), ...by });
  planned.apply();
  return { ...receipt, ...defined({ step }) };
}

interface ReadInbound {
  name: SignalName;
  payload: SignalPayload;
  /** As it was sent. */
  sent: unknown;
}

function readInbound(name: string, payload: unknown): ReadInbound | NotApplied {
  if (!isSignalName(name)) return { outcome: 'unknown', reason: `there is no signal "${cutAfter(name, NAME_CHARACTERS)}"` };
  const read = readSignal(name, payload);
  if ('problem' in read) return { outcome: 'unreadable', reason: cutAfter(read.problem, EXCERPT_CHARACTERS) };
  return whyTooLarge(read) ?? { name, payload: read, sent: payload };
}

/** Signals for which a proof has a meaning: it says whose decision it is. An unchecked seal must not seem to have been checked. */
const PROVABLE: ReadonlySet<SignalName> = new Set(['approve', 'reject', 'respond', 'delegate']);

function planFor(it: Interpreter, { name, payload, sent }: ReadInbound, via: MessageSource, sealedFor?: string): PlannedCommand {
  if (payload.proof && !PROVABLE.has(name)) return { outcome: 'unreadable', reason: `"${name}" takes no proof: leave it out` };
  switch (name) {
    case 'approve':
    case 'reject':
    case 'respond':
      return planDecision(it, name, payload, via, sealedFor);
    case 'pause':
    case 'unpause':
      return planPause(it, name, payload);
    case 'retry':
    case 'skip':
    case 'abort':
      return planOperation(it, name, payload);
    case 'delegate':
      return planDelegation(it, payload, sealedFor);
    case 'extend_budget':
      return planBudgetExtension(it, payload, via);
    case 'emit':
      return planEmit(it, payload);
    case 'message':
      return it.kinds.command(it, name, payload) ?? planMessage(it, payload);
    case 'task': {
      const planned = planForKind(it, name, payload);
      return isTooEarly(planned) ? keepEarly(it, sent, planned) : planned;
    }
    case 'spawn':
    case 'drain':
      return planForKind(it, name, payload);
    case 'post_mortem':
      return planPostMortem(it, payload);
    default:
      return unreachable(name);
  }
}

function planForKind(it: Interpreter, name: KindCommand, payload: SignalPayload): PlannedCommand {
  return it.kinds.command(it, name, payload) ?? { outcome: 'misdirected', reason: 'no step of this run takes that' };
}

function isTooEarly(planned: PlannedCommand): planned is NotApplied {
  return 'outcome' in planned && planned.outcome === 'early';
}

/** A board has opened: it takes the tasks that were kept for it. */
export function receiveEarly(it: Interpreter): void {
  const isEarly = (sent: unknown): boolean => {
    const read = readInbound('task', sent);
    return !('outcome' in read) && isTooEarly(planForKind(it, 'task', read.payload));
  };
  for (const sent of takeEarly(it, isEarly)) receiveCommand(it, 'task', sent);
}

function byOf(payload: unknown): { by?: string } {
  const by = typeof payload === 'object' && payload !== null && 'by' in payload ? payload.by : undefined;
  return typeof by === 'string' ? { by: cutAfter(by, NAME_CHARACTERS) } : {};
}

const EXCERPT_CHARACTERS = 2000;
const NAME_CHARACTERS = 200;

/** The part of a payload that the journal keeps: a small one completely, the beginning of a large one, and a proof without the seal. */
function excerpt(payload: unknown): Json {
  if (isUndecodable(payload)) return { encoding: payload.encoding, sizeBytes: payload.sizeBytes };
  const text = JSON.stringify(payload ?? null, (key, value: unknown) => (key === 'mac' ? '…' : value));
  return text.length <= EXCERPT_CHARACTERS ? (JSON.parse(text) as Json) : cutAfter(text, EXCERPT_CHARACTERS);
}

/**
 * Limits of a flood of messages while no step settles: their journal entries go to the store a page at a time, and an execution that has
 * received so many is followed by a fresh one.
 *
 * The server's behaviour in floods sets the measure. It accepts 10,000 signals for an execution, and refuses the rest. It fails a workflow
 * task during which 100 have come, so tasks must be short; and also one that would close the execution while another signal has come: then
 * it holds back new ones, but the execution has to be replayed from its beginning, and within the time limit of a task.
 */
const SIGNALS_AN_EXECUTION = 500;

const received = new WeakMap<Run, number>();

/** Called with each message that has come. */
function limitFloodHistory(run: Run): void {
  const many = (received.get(run) ?? 0) + 1;
  received.set(run, many);
  if (run.ending) return;
  if (run.journal.pageIsFull()) run.background(() => run.journal.flush());
  run.drainIfDue();
  // Only where it holds up nobody: a drain waits for the steps running, and starts no other.
  if (many >= SIGNALS_AN_EXECUTION) run.drainIfDue('when-idle');
}
