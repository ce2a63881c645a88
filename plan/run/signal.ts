import { BOARD_ORDER_KEYS, type BoardOrder, isBoardOrder, readBoardOrder } from '../board/board-order';
import type { TaskNumber } from '../board/task';
import { BUDGET_ORDER_KEYS, type BudgetSpec, readBudgetOrder } from '../budgets/budget';
import { type Proof, readProof } from '../people/proof';
import { field, isJsonObject, type Json } from '../text/json';
import { copyField } from '../text/spelled-json';

/** Names shared by signals and updates, which have the same payloads. */
export const SIGNALS = [
  'approve',
  'reject',
  'respond',
  'message',
  'emit',
  'pause',
  'unpause',
  'retry',
  'skip',
  'abort',
  'delegate',
  'extend_budget',
  'post_mortem',
  'task',
  'spawn',
  'drain',
] as const;
export type SignalName = (typeof SIGNALS)[number];

/**
 * The outcome of a signal. Only `applied` changed anything; the others are journalled with the reason, and an update with such an outcome
 * is refused at once. `unavailable` passes: the same may be sent again later.
 */
export const SIGNAL_OUTCOMES = [
  'applied',
  'early',
  'late',
  'duplicate',
  'misdirected',
  'refused',
  'unavailable',
  'unreadable',
  'unknown',
] as const;
export type SignalOutcome = (typeof SIGNAL_OUTCOMES)[number];

/** The `type` of an answer that is a vote, and is valid only at a ballot's gate. */
export const VOTE_TYPE = 'vote';

export interface SignalPayload {
  step?: string;
  by?: string;
  comment?: string;
  reason?: string;
  value?: Json;
  response?: Json;
  with?: Json;
  to?: string;
  from?: string;
  content?: Json;
  /** For `emit`: an item for the stream of `step`. */
  item?: Json;
  type?: string;
  /** Digest of what was shown, or at least the first 8 digits of it: an answer to anything else is refused. */
  shown?: string;
  proof?: Proof;
  /** For `extend_budget`: new absolute ceilings. */
  ceilings?: BudgetSpec;
  /** For `task` and `spawn`. */
  order?: BoardOrder;
}

/** A payload that could not be decoded; the never-throwing payload converter puts this in its place. */
export interface Undecodable {
  undecodable: true;
  encoding: string;
  sizeBytes: number;
}

export function isUndecodable(payload: unknown): payload is Undecodable {
  return field(payload, 'undecodable') === true && field(payload, 'encoding') !== undefined;
}

export function isSignalName(name: string): name is SignalName {
  return (SIGNALS as readonly string[]).includes(name);
}

const TEXT_KEYS = ['step', 'by', 'comment', 'reason', 'to', 'from', 'type', 'shown'] as const;
const JSON_KEYS = ['value', 'response', 'with', 'content', 'item'] as const;
/** The field that takes a bare string, for signals in which one makes sense. */
const BARE_TEXT: Partial<Record<SignalName, 'comment' | 'reason' | 'response' | 'subject'>> = {
  approve: 'comment',
  reject: 'comment',
  respond: 'response',
  pause: 'reason',
  unpause: 'reason',
  abort: 'reason',
  post_mortem: 'reason',
  drain: 'reason',
  task: 'subject',
};

/**
 * Reads a payload leniently: an absent one, a bare string, or an object with known keys. Returns the problem in words for anything else.
 * JSON null is refused: programs send it when a value that they meant to send is missing.
 */
export function readSignal(name: SignalName, payload: unknown): SignalPayload | { problem: string } {
  if (payload === undefined || payload === '') return {};
  if (payload === null) return { problem: `${name} does not take JSON null: send {"by": "NAME"}, or no payload at all` };
  if (typeof payload === 'string') {
    const key = BARE_TEXT[name];
    if (key === 'subject') return readSignal(name, { subject: payload });
    return key ? { [key]: payload } : { problem: `${name} takes an object, not text` };
  }
  if (isUndecodable(payload)) return { problem: `payload in encoding "${payload.encoding}" cannot be decoded` };
  if (!isJsonObject(payload)) return { problem: `${name} takes an object` };
  const read: SignalPayload = {};
  for (const key of TEXT_KEYS) {
    const value = field(payload, key);
    if (value === undefined || value === null) continue;
    if (typeof value !== 'string') return { problem: `"${key}" must be text` };
    read[key] = value;
  }
  for (const key of JSON_KEYS) {
    if (field(payload, key) !== undefined) copyField(payload, key, read);
  }
  const proof = field(payload, 'proof');
  if (proof !== undefined && proof !== null) {
    const sealed = readProof(proof);
    if (!sealed) return { problem: '"proof" must be {"channel", "at", "mac"}' };
    read.proof = sealed;
  }
  if (name === 'extend_budget') {
    const ceilings = readBudgetOrder(payload);
    if ('problem' in ceilings) return ceilings;
    read.ceilings = ceilings;
  }
  if (isBoardOrder(name)) {
    const order = readBoardOrder(name, payload);
    if ('problem' in order) return order;
    read.order = order;
  }
  const own = name === 'extend_budget' ? BUDGET_ORDER_KEYS : isBoardOrder(name) ? BOARD_ORDER_KEYS[name] : [];
  const known: readonly string[] = [...TEXT_KEYS, ...JSON_KEYS, 'proof', ...own];
  const unknown = Object.keys(payload).filter((key) => !known.includes(key));
  if (unknown.length > 0) return { problem: `unknown key "${unknown[0]}"; known: ${known.join(', ')}` };
  return read;
}

/** The answer to an update that was applied. */
export interface SignalReceipt {
  /** `early`, for `task`: it is kept until its board opens. */
  outcome: SignalOutcome;
  /** Short address of the gate or step that took it. */
  step?: string;
  /** For `task`: the number that its board gave it. With the outcome `duplicate`: that it gave to the one with the same key. */
  task?: TaskNumber;
}
