import type { JournalEvent } from '../plan/journal';
import { field, type Json } from '../plan/json';
import { isTooDeep, unlessTooDeep } from '../plan/json-depth';
import type { SpawnRequest, SpawnResult } from '../plan/spawn';
import type { ToolCall } from '../plan/tool';
import type { Turn } from './agent-port';
import type { ActivityCall } from './call';
import type { Ledger } from './ports';
import { asJson } from './stored-json';
import type { Toolbox } from './toolbox';

/**
 * The record of one try's conversation in the ledger, log `<address>/transcript`: `{system}` first; `{ask, turn}` for each turn, with
 * the `effect` of a tool's; `{ask, told}` before a request that tells of children; `{ask, end}` once a request is answered in full.
 * A try that goes on from one that broke off begins with `{adopts, lines}`: so many lines of that log are its own, paid for and
 * journalled there.
 *
 * Invariants: 1. a turn is durable before anything is done with it; 2. every request is in log `<address>/requests` before it
 * is made, so that a store that is full or read-only fails before anything is paid for; 3. what a tool did stands with its result,
 * so both are there or neither.
 */
export interface Transcript {
  /** Every turn so far, in order. */
  turns(): readonly Turn[];
  /** The same for the agent itself: what it was asked stands unmasked where that is known here. */
  asTold(): readonly Turn[];
  /** Turns of one request, the prompt first. */
  of(ask: number): readonly Turn[];
  answered(ask: number): boolean;
  /** The id of the try in which a call was made. */
  madeIn(ask: number, call: string): string;
  /** What the tools did, in order; of one request where it is named. */
  effects(ask?: number): readonly ToolEffect[];
  /** What a request tells of children. */
  told(ask: number): readonly SpawnResult[] | undefined;
  request(ask: number, system: string, prompt: string): Promise<void>;
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
  /** The try that it comes from, where not this one. */
  from?: string;
}

/** The log of a try before this one, and how much of it was there when this one began. */
interface Adopted {
  adopts: string;
  lines: number;
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

/** @param broken the id of a try that broke off, whose turns this one goes on from where it has none of its own yet */
export async function openTranscript(
  { ledger }: Pick<Toolbox, 'ledger'>,
  call: ActivityCall,
  masks: Masks,
  broken?: string,
): Promise<Transcript> {
  const log = transcriptLog(call.id);
  const entries: Entry[] = [];
  const ended = new Set<number>();
  const told = new Map<number, readonly SpawnResult[]>();
  /** As they were rendered, secrets and all. */
  const prompts = new Map<number, string>();
  let hasSystem = false;
  const own = await ledger.lines(call.key, log);
  for (const line of own) await readLine(line);
  if (broken !== undefined && own.length === 0) await adopt(broken);

  async function readLine(line: Json): Promise<void> {
    const adopted = readAdopted(line);
    if (adopted) await readAdoptedLog(adopted);
    else read(line);
  }

  async function adopt(id: string): Promise<void> {
    const lines = await ledger.lines(call.key, transcriptLog(id));
    // Where nothing was paid for, the new try asks in its own words.
    if (!lines.some((line) => isPaid(readTurn(field(line, 'turn'))) || readAdopted(line))) return;
    const adopted: Adopted = { adopts: id, lines: lines.length };
    await ledger.append(call.key, log, asJson(adopted));
    await readAdoptedLog(adopted);
  }

  async function readAdoptedLog({ adopts, lines }: Adopted): Promise<void> {
    const from = entries.length;
    for (const line of (await ledger.lines(call.key, transcriptLog(adopts))).slice(0, lines)) await readLine(line);
    entries.splice(from, entries.length, ...entries.slice(from).map((entry) => settledElsewhere(entry, adopts)));
  }

  /** What is read is what was written: the ledger is Thermidor's own. */
  function read(line: Json): void {
    if (field(line, 'system') !== undefined) hasSystem = true;
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
  const asked = (ask: number, turn: Turn): Turn => {
    const prompt = turn.role === 'user' ? prompts.get(ask) : undefined;
    return prompt !== undefined && masks.mask(prompt) === turn.text ? { ...turn, text: prompt } : turn;
  };
  const masked = (made: ToolCall): ToolCall => ({ ...made, tool: masks.mask(made.tool), args: masks.maskJson(unlessTooDeep(made.args)) });
  const add: Transcript['add'] = async (ask, turn, effect) => {
    const { text, calls, call: made, message, ...rest } = turn;
    const kept: Turn = {
      ...rest,
      text: masks.mask(text),
      ...(calls?.length ? { calls: calls.map(masked) } : {}),
      ...(made ? { call: masked(made) } : {}),
      ...(message === undefined || isTooDeep(message) ? {} : { message: masks.maskJson(message) }),
    };
    const did = effect === undefined ? undefined : masks.maskJson(asJson(effect));
    await write(asJson({ ask, turn: kept, effect: did }));
  };
  return {
    turns: () => entries.map(({ turn }) => turn),
    asTold: () => entries.map(({ ask, turn }) => asked(ask, turn)),
    of,
    answered: (ask) => ended.has(ask),
    madeIn: (ask, made) => entries.find((entry) => entry.ask === ask && entry.turn.calls?.some(({ id }) => id === made))?.from ?? call.id,
    effects: (ask) => entries.flatMap((entry) => (entry.effect && (ask === undefined || entry.ask === ask) ? [entry.effect] : [])),
    told: (ask) => told.get(ask),
    async request(ask, system, prompt) {
      prompts.set(ask, prompt);
      await ledger.append(call.key, `${call.id}/requests`, { ask, idempotencyKey: idempotencyKey(call, ask), attempt: call.attempt });
      if (!hasSystem) await write({ system: masks.mask(system) });
      if (of(ask).length === 0) await add(ask, { role: 'user', text: prompt });
    },
    add,
    tell: (ask, results) => write(asJson({ ask, told: results })),
    end: (ask) => write({ ask, end: true }),
  };
}

/** Lines of a transcript as they are recorded, those that it has from the try before it in their place. */
export async function transcriptLines(
  ledger: Pick<Ledger, 'lines'>,
  key: ActivityCall['key'],
  log: string,
  most?: number,
): Promise<Json[]> {
  const lines: Json[] = [];
  for (const line of (await ledger.lines(key, log)).slice(0, most)) {
    const adopted = readAdopted(line);
    if (adopted) lines.push(...(await transcriptLines(ledger, key, transcriptLog(adopted.adopts), adopted.lines)));
    else lines.push(line);
  }
  return lines;
}

function readTurn(value: Json | undefined): Turn | undefined {
  const role = field(value, 'role');
  const text = field(value, 'text');
  if ((role !== 'user' && role !== 'assistant' && role !== 'tool') || typeof text !== 'string') return undefined;
  const written: unknown = value;
  return written as Turn;
}

function readAdopted(line: Json): Adopted | undefined {
  const [adopts, lines] = [field(line, 'adopts'), field(line, 'lines')];
  return typeof adopts === 'string' && typeof lines === 'number' ? { adopts, lines } : undefined;
}

/** A reply, or what a tool has done for one: none of it is to be paid for again. */
function isPaid(turn: Turn | undefined): boolean {
  return turn !== undefined && turn.role !== 'user' && turn.stop !== 'broken';
}

/** What it cost and what the journal was told is the business of the try that it comes from. */
function settledElsewhere({ ask, turn, effect, from }: Entry, adopts: string): Entry {
  const { usage: _charged, model: _asked, ...rest } = turn;
  const { journal: _told, ...did } = effect ?? {};
  return { ask, turn: rest, from: from ?? adopts, ...(effect ? { effect: did } : {}) };
}
