import type { JournalEvent } from '../plan/journal';
import { field, type Json } from '../plan/json';
import type { SpawnRequest, SpawnResult } from '../plan/spawn';
import type { Turn } from './agent-port';
import type { ActivityCall } from './call';
import { asJson } from './stored-json';
import type { Toolbox } from './toolbox';

/**
 * The record of one try's conversation in the ledger, log `<address>/transcript`: `{ask, turn}` for each turn, with the `effect` of
 * a tool's; `{ask, told}` before a request that tells of children; `{ask, end}` once a request is answered in full.
 *
 * Invariants: 1. a turn is durable before anything is done with it; 2. every request is in log `<address>/requests` before it
 * is made, so that a store that is full or read-only fails before anything is paid for; 3. what a tool did stands with its result,
 * so both are there or neither.
 */
export interface Transcript {
  /** Every turn so far, in order. */
  turns(): readonly Turn[];
  /** Turns of one request, the prompt first. */
  of(ask: number): readonly Turn[];
  answered(ask: number): boolean;
  /** What the tools did, in order; of one request where it is named. */
  effects(ask?: number): readonly ToolEffect[];
  /** What a request tells of children. */
  told(ask: number): readonly SpawnResult[] | undefined;
  request(ask: number, prompt: string): Promise<void>;
  add(ask: number, turn: Turn, effect?: ToolEffect): Promise<void>;
  tell(ask: number, results: readonly SpawnResult[]): Promise<void>;
  end(ask: number): Promise<void>;
}

/** What a tool did, beside its answer. */
export interface ToolEffect {
  journal?: JournalEvent[];
  spawned?: SpawnRequest;
  /** The agent that took another turn of a talk. */
  sentTo?: string;
}

interface Entry {
  ask: number;
  turn: Turn;
  effect?: ToolEffect;
}

/** Name of a call's transcript in the ledger; `thermidor show --transcript` reads it. */
export function transcriptLog(callId: string): string {
  return `${callId}/transcript`;
}

export function idempotencyKey(call: ActivityCall, ask: number): string {
  return `${call.key.workflowId}/${call.key.run}/${call.id}/${ask}`;
}

/** What passes before it is recorded. */
export interface Masks {
  mask(text: string): string;
  maskJson(value: Json): Json;
}

export async function openTranscript({ ledger }: Toolbox, call: ActivityCall, masks: Masks): Promise<Transcript> {
  const log = transcriptLog(call.id);
  const entries: Entry[] = [];
  const ended = new Set<number>();
  const told = new Map<number, readonly SpawnResult[]>();
  for (const line of await ledger.lines(call.key, log)) read(line);

  /** What is read is what was written: the ledger is Thermidor's own. */
  function read(line: Json): void {
    const ask = field(line, 'ask');
    if (typeof ask !== 'number') return;
    const turn = readTurn(field(line, 'turn'));
    const effect: unknown = field(line, 'effect');
    const results: unknown = field(line, 'told');
    if (turn) entries.push({ ask, turn, ...(effect === undefined ? {} : { effect: effect as ToolEffect }) });
    else if (Array.isArray(results)) told.set(ask, results as SpawnResult[]);
    else if (field(line, 'end') === true) ended.add(ask);
  }

  async function write(line: Json): Promise<void> {
    await ledger.append(call.key, log, line);
    read(line);
  }

  const of = (ask: number) => entries.filter((entry) => entry.ask === ask).map(({ turn }) => turn);
  const add: Transcript['add'] = async (ask, { role, text, usage, call: made }, effect) => {
    const kept = {
      role,
      text: masks.mask(text),
      ...(made ? { call: { ...made, tool: masks.mask(made.tool), args: masks.maskJson(made.args) } } : {}),
    };
    const did = effect === undefined ? undefined : masks.maskJson(asJson(effect));
    await write(asJson({ ask, turn: { ...kept, usage }, effect: did }));
  };
  return {
    turns: () => entries.map(({ turn }) => turn),
    of,
    answered: (ask) => ended.has(ask),
    effects: (ask) => entries.flatMap((entry) => (entry.effect && (ask === undefined || entry.ask === ask) ? [entry.effect] : [])),
    told: (ask) => told.get(ask),
    async request(ask, prompt) {
      await ledger.append(call.key, `${call.id}/requests`, { ask, idempotencyKey: idempotencyKey(call, ask), attempt: call.attempt });
      if (of(ask).length === 0) await add(ask, { role: 'user', text: prompt });
    },
    add,
    tell: (ask, results) => write(asJson({ ask, told: results })),
    end: (ask) => write({ ask, end: true }),
  };
}

function readTurn(value: Json | undefined): Turn | undefined {
  const role = field(value, 'role');
  const text = field(value, 'text');
  if ((role !== 'user' && role !== 'assistant' && role !== 'tool') || typeof text !== 'string') return undefined;
  const usage: unknown = field(value, 'usage');
  const call: unknown = field(value, 'call');
  return {
    role,
    text,
    ...(usage === undefined ? {} : { usage: usage as NonNullable<Turn['usage']> }),
    ...(call === undefined ? {} : { call: call as NonNullable<Turn['call']> }),
  };
}
