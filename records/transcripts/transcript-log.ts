import type { RunRequest } from '../../plan/agents/run-request';
import type { SpawnRequest, SpawnResult } from '../../plan/agents/spawned-agent';
import type { Exchange } from '../../plan/board/exchange';
import type { WorkEnd } from '../../plan/board/member';
import { defined } from '../../plan/defined';
import type { FailureCode } from '../../plan/run/failure';
import type { HandedEvent } from '../../plan/run/journal';
import { field, type Json } from '../../plan/text/json';
import type { Ledger, RunKey } from '../ledger';
import type { Turn } from './turn';

/**
 * The record of one call's conversation in the ledger, log `<call>/transcript`: `{system}` first; `{ask, turn}` for each turn, with the
 * `effect` of a tool's; `{ask, reserved, tokens}` before a reply is requested under a ceiling, with the most that it may cost, in
 * millionths of a dollar, and read and write, which the agent's next turn settles, and `{ask, reserved: 0}` if it never began; `{ask,
 * announced}` before a request that announces children; `{ask, exchanged}` when a call asks its run for a decision; `{ask, end}` once a
 * request is answered in full. A try that continues from a broken-off one begins with `{adopts, lines}`: that many lines of the other
 * call's log are its own, paid for and journalled there.
 *
 * This file only reads the log. Lines are trusted: the ledger is Thermidor's own.
 */
export type TranscriptLine =
  | { system: string }
  | { ask: number; turn: Turn; effect?: ToolEffect }
  | { ask: number; reserved: number; tokens?: number }
  | { ask: number; announced: readonly SpawnResult[] }
  | { ask: number; exchanged: Exchange }
  | { ask: number; end: true }
  | Adoption;

/** The earlier call, and the length of its log when this one began. */
interface Adoption {
  adopts: string;
  lines: number;
}

/** The effect of a tool, apart from its answer. */
export interface ToolEffect {
  journal?: HandedEvent[];
  spawned?: SpawnRequest;
  runRequest?: RunRequest;
  /** A member's messages: what it has sent and read. */
  exchanged?: Exchange;
  /** The member's work ends with this call: no reply is requested for its result. */
  ends?: Exclude<WorkEnd, 'stopped'>;
  /** It recorded an item. */
  emitted?: true;
  /** Ids of the children, and of the runs that it started, whose end the turn reports. */
  announced?: string[];
  /** The agent that took another turn of a talk. */
  sentTo?: string;
  /** The topic that it was asked about as a consultant. */
  consulted?: string;
  /** How many requests that talk has had by then, repairs among them. */
  asked?: number;
  /** Why nothing came of the turn. */
  failed?: { code: FailureCode; message: string };
}

/** A line, and the call that owns its log. */
export interface RecordedLine {
  line: Json;
  of: string;
}

/** Name of a call's log in the ledger. */
export function transcriptLog(callId: string): string {
  return `${callId}/transcript`;
}

/** Name of the log of the requests that a call has made; nothing is decided by it. */
export function requestsLog(callId: string): string {
  return `${callId}${REQUESTS}`;
}

export const REQUESTS = '/requests';

/** Lines of a call as they are recorded, those that it has from calls before it in their place. */
export async function recordedLines(ledger: Pick<Ledger, 'lines'>, key: RunKey, callId: string, most?: number): Promise<RecordedLine[]> {
  return await withAdopted(ledger, key, callId, (await ledger.lines(key, transcriptLog(callId))).slice(0, most));
}

/** The lines of a log that has been read, with the lines of earlier calls in their place. */
export async function withAdopted(
  ledger: Pick<Ledger, 'lines'>,
  key: RunKey,
  callId: string,
  lines: readonly Json[],
): Promise<RecordedLine[]> {
  const recorded: RecordedLine[] = [];
  for (const line of lines) {
    const adoption = readAdoption(line);
    if (adoption) recorded.push(...(await recordedLines(ledger, key, adoption.adopts, adoption.lines)));
    else recorded.push({ line, of: callId });
  }
  return recorded;
}

/** Parses a line; undefined if it has no known content. */
export function readLine(line: Json): TranscriptLine | undefined {
  const system = field(line, 'system');
  if (typeof system === 'string') return { system };
  const ask = field(line, 'ask');
  if (typeof ask !== 'number') return readAdoption(line);
  const turn = readTurn(field(line, 'turn'));
  const effect: unknown = field(line, 'effect');
  if (turn) return { ask, turn, ...defined({ effect: effect as ToolEffect | undefined }) };
  const reserved = field(line, 'reserved');
  const tokens = field(line, 'tokens');
  if (typeof reserved === 'number') return { ask, reserved, ...(typeof tokens === 'number' ? { tokens } : {}) };
  const announced: unknown = field(line, 'announced');
  if (Array.isArray(announced)) return { ask, announced: announced as SpawnResult[] };
  const exchanged: unknown = field(line, 'exchanged');
  if (exchanged !== undefined) return { ask, exchanged: exchanged as Exchange };
  return field(line, 'end') === true ? { ask, end: true } : undefined;
}

function readAdoption(line: Json): Adoption | undefined {
  const [adopts, lines] = [field(line, 'adopts'), field(line, 'lines')];
  return typeof adopts === 'string' && typeof lines === 'number' ? { adopts, lines } : undefined;
}

function readTurn(value: Json | undefined): Turn | undefined {
  const role = field(value, 'role');
  const text = field(value, 'text');
  if ((role !== 'user' && role !== 'assistant' && role !== 'tool') || typeof text !== 'string') return undefined;
  const written: unknown = value;
  return written as Turn;
}
