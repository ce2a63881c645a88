import { field, type Json } from '../plan/json';
import type { ActivityCall } from './call';
import type { Turn } from './ports';
import { asJson } from './stored-json';
import type { Toolbox } from './toolbox';

/**
 * The record of one try's conversation in the ledger, log `<address>/transcript`: `{ask, turn}` for each turn, `{ask, end}`
 * once a request is answered in full.
 *
 * Invariants: 1. a turn is durable before anything is done with it; 2. every request is in log `<address>/requests` before it
 * is made, so that a store that is full or read-only fails before anything is paid for.
 */
export interface Transcript {
  /** Every turn so far, in order. */
  turns(): readonly Turn[];
  /** Turns of one request, the prompt first. */
  of(ask: number): readonly Turn[];
  answered(ask: number): boolean;
  request(ask: number, prompt: string): Promise<void>;
  add(ask: number, turn: Turn): Promise<void>;
  end(ask: number): Promise<void>;
}

interface Entry {
  ask: number;
  turn: Turn;
}

/** Name of a call's transcript in the ledger; `thermidor show --transcript` reads it. */
export function transcriptLog(callId: string): string {
  return `${callId}/transcript`;
}

export function idempotencyKey(call: ActivityCall, ask: number): string {
  return `${call.key.workflowId}/${call.key.run}/${call.id}/${ask}`;
}

/** @param mask what texts pass before they are recorded */
export async function openTranscript(
  { ledger }: Toolbox,
  call: ActivityCall,
  mask: (text: string) => string = (text) => text,
): Promise<Transcript> {
  const log = transcriptLog(call.id);
  const entries: Entry[] = [];
  const ended = new Set<number>();
  for (const line of await ledger.lines(call.key, log)) {
    const ask = field(line, 'ask');
    const turn = readTurn(field(line, 'turn'));
    if (typeof ask !== 'number') continue;
    if (turn) entries.push({ ask, turn });
    else if (field(line, 'end') === true) ended.add(ask);
  }
  const of = (ask: number) => entries.filter((entry) => entry.ask === ask).map(({ turn }) => turn);
  const add = async (ask: number, turn: Turn) => {
    const kept = { ...turn, text: mask(turn.text) };
    await ledger.append(call.key, log, asJson({ ask, turn: kept }));
    entries.push({ ask, turn: kept });
  };
  return {
    turns: () => entries.map(({ turn }) => turn),
    of,
    answered: (ask) => ended.has(ask),
    async request(ask, prompt) {
      await ledger.append(call.key, `${call.id}/requests`, { ask, idempotencyKey: idempotencyKey(call, ask), attempt: call.attempt });
      if (of(ask).length === 0) await add(ask, { role: 'user', text: prompt });
    },
    add,
    async end(ask) {
      await ledger.append(call.key, log, { ask, end: true });
      ended.add(ask);
    },
  };
}

function readTurn(value: Json | undefined): Turn | undefined {
  const role = field(value, 'role');
  const text = field(value, 'text');
  if ((role !== 'user' && role !== 'assistant' && role !== 'tool') || typeof text !== 'string') return undefined;
  const usage: unknown = field(value, 'usage');
  return usage === undefined ? { role, text } : { role, text, usage: usage as NonNullable<Turn['usage']> };
}
