import type { Json } from '../../plan/json';
import type { SpawnResult } from '../../plan/spawn';
import type { Turn } from '../agent-port';
import type { ActivityCall } from '../call';
import type { Ledger } from '../ports';
import { asJson } from '../stored/stored-json';
import { type Masks, maskedEffect, maskedTurn } from './masked-turn';
import { idempotencyKey } from './request-key';
import { type LogLine, type RecordedLine, readLine, recordedLines, type ToolEffect, transcriptLog } from './transcript-log';

/**
 * One call's conversation while it is held: what was said by now, and the only one who writes its log (`transcript-log.ts`).
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
  /** What the reply that is asked for now may cost at most, in millionths of a dollar; undefined where nothing is reserved for it. */
  reserved(): number | undefined;
  /** What is reserved for it and for replies that were asked for and never came: they may have been paid for. */
  unsettled(): number;
  /** Before a reply is asked for; 0 where it never began. */
  reserve(ask: number, costMicroUsd: number): Promise<void>;
  tell(ask: number, results: readonly SpawnResult[]): Promise<void>;
  end(ask: number): Promise<void>;
}

interface Entry {
  ask: number;
  turn: Turn;
  effect?: ToolEffect;
  /** The call whose log it stands in. */
  from: string;
}

/** @param broken the id of a try that broke off, whose turns this one goes on from where it has none of its own yet */
export async function openTranscript(
  { ledger }: { ledger: Ledger },
  call: ActivityCall,
  masks: Masks,
  broken?: string,
): Promise<Transcript> {
  const entries: Entry[] = [];
  const ended = new Set<number>();
  const told = new Map<number, readonly SpawnResult[]>();
  /** For replies that were never heard of again. */
  let lost = 0;
  let reserved: number | undefined;
  /** As they were rendered, secrets and all. */
  const prompts = new Map<number, string>();
  let hasSystem = false;

  function take({ line, of: from }: RecordedLine): void {
    const said = readLine(line);
    if (said === undefined || 'adopts' in said) return;
    if ('system' in said) hasSystem = true;
    else if ('turn' in said) {
      entries.push(from === call.id ? { ...said, from } : settledElsewhere({ ...said, from }));
      if (said.turn.role === 'assistant' && from === call.id) reserved = undefined;
    } else if ('reserved' in said) {
      if (from === call.id) note(said.reserved);
    } else if ('told' in said) told.set(said.ask, said.told);
    else ended.add(said.ask);
  }

  function note(costMicroUsd: number): void {
    // One that was reserved and neither settled nor given back is not heard of any more.
    if (costMicroUsd > 0) lost += reserved ?? 0;
    reserved = costMicroUsd > 0 ? costMicroUsd : undefined;
  }

  async function write(said: LogLine): Promise<void> {
    const line = asJson(said);
    await ledger.append(call.key, transcriptLog(call.id), line);
    take({ line, of: call.id });
  }

  const own = await recordedLines(ledger, call.key, call.id);
  const standing = broken !== undefined && own.length === 0 ? await adopt(ledger, call, broken) : own;
  standing.forEach(take);

  const of = (ask: number) => entries.filter((entry) => entry.ask === ask).map(({ turn }) => turn);
  const asked = ({ ask, turn }: Entry): Turn => {
    const prompt = turn.role === 'user' ? prompts.get(ask) : undefined;
    return prompt !== undefined && masks.mask(prompt) === turn.text ? { ...turn, text: prompt } : turn;
  };
  const add: Transcript['add'] = (ask, turn, effect) => {
    const did = effect === undefined ? {} : { effect: maskedEffect(effect, masks) };
    return write({ ask, turn: maskedTurn(turn, masks), ...did });
  };
  return {
    turns: () => entries.map(({ turn }) => turn),
    asTold: () => entries.map(asked),
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
    reserved: () => reserved,
    unsettled: () => lost + (reserved ?? 0),
    reserve: (ask, costMicroUsd) => write({ ask, reserved: costMicroUsd }),
    tell: (ask, results) => write({ ask, told: results }),
    end: (ask) => write({ ask, end: true }),
  };
}

/** What a try before has said and done becomes the beginning of this one; nothing does where nothing of it was paid for. */
async function adopt(ledger: Ledger, { key, id }: ActivityCall, broken: string): Promise<RecordedLine[]> {
  const lines = (await ledger.lines(key, transcriptLog(broken))).length;
  const recorded = await recordedLines(ledger, key, broken, lines);
  // Else the new try asks in its own words.
  if (!recorded.some(({ line }) => isPaid(line))) return [];
  await ledger.append(key, transcriptLog(id), asJson({ adopts: broken, lines } satisfies LogLine));
  return recorded;
}

/** A reply, or what a tool has done for one: none of it is to be paid for again. */
function isPaid(line: Json): boolean {
  const said = readLine(line);
  return said !== undefined && 'turn' in said && said.turn.role !== 'user' && said.turn.stop !== 'broken';
}

/** What it cost and what the journal was told is the business of the try that it comes from. */
function settledElsewhere({ turn, effect, ...entry }: Entry): Entry {
  const { usage: _charged, model: _asked, ...rest } = turn;
  const { journal: _told, ...did } = effect ?? {};
  return { ...entry, turn: rest, ...(effect ? { effect: did } : {}) };
}
