import type { SpawnRequest, SpawnResult } from '../../plan/agents/spawned-agent';
import type { Exchange } from '../../plan/board/exchange';
import { AMOUNTS, type Amounts } from '../../plan/budgets/budget';
import { defined } from '../../plan/defined';
import type { Ledger, RunKey } from '../ledger';
import { type RecordedLine, readLine, recordedLines, type ToolEffect } from './transcript-log';
import type { Turn } from './turn';

/** The content of one call so far, from the lines of its log. Nothing here writes. */
export interface RecordedConversation {
  /** Every turn so far, in order. */
  turns(): readonly Turn[];
  /** Every turn so far, each with the request that it belongs to. */
  entries(): readonly ConversationEntry[];
  /** Turns of one request, the prompt first. */
  of(ask: number): readonly Turn[];
  answered(ask: number): boolean;
  /** How many requests this try has made: one that it goes on with belongs to the try before it. */
  requests(): number;
  /** The id of the try in which a call was made. */
  madeIn(ask: number, call: string): string;
  /** The effects of tools, in order. */
  effects(): readonly ToolEffect[];
  /** What it has passed to its board, in order. A decision that has reached its call is asked for no longer. */
  exchanges(): readonly Exchange[];
  /** All children that it has spawned, in order. */
  spawned(): readonly SpawnRequest[];
  /** Spawn requests up to this request that have not been announced yet. */
  unannounced(ask: number): readonly SpawnRequest[];
  /** The results of children that a request announces. */
  announced(ask: number): readonly SpawnResult[] | undefined;
  /** The most that the awaited reply may cost; undefined if nothing is reserved for it. */
  reserved(): Amounts | undefined;
  /**
   * The reservations for each reply that was requested and never came, and last the one for the awaited reply: they may have been paid for.
   */
  unsettled(): readonly Amounts[];
  hasSystem(): boolean;
}

export interface ConversationEntry {
  ask: number;
  turn: Turn;
  effect?: ToolEffect;
  /** The call that owns its log. */
  from: string;
}

export async function readRecordedConversation(ledger: Pick<Ledger, 'lines'>, key: RunKey, id: string): Promise<RecordedConversation> {
  const { take, ...said } = recordedConversation(id);
  (await recordedLines(ledger, key, id)).forEach(take);
  return said;
}

export function recordedConversation(callId: string): RecordedConversation & { take(line: RecordedLine): void } {
  const entries: ConversationEntry[] = [];
  const ended = new Set<number>();
  const exchanges: Exchange[] = [];
  /** Those for whose decision a call may wait. */
  const asking: Exchange[] = [];
  const announced = new Map<number, readonly SpawnResult[]>();
  /** Reservations for replies that never came. */
  const lost: Amounts[] = [];
  let reserved: Amounts | undefined;
  let hasSystem = false;

  function note(atMost: Amounts): void {
    const isAny = AMOUNTS.some((kind) => (atMost[kind] ?? 0) > 0);
    // One that was reserved and neither settled nor given back counts as lost.
    if (isAny && reserved !== undefined) lost.push(reserved);
    reserved = isAny ? atMost : undefined;
  }

  function spawnedUpTo(ask: number): SpawnRequest[] {
    return entries.flatMap(({ ask: of, effect }) => (of <= ask && effect?.spawned ? [effect.spawned] : []));
  }

  return {
    take({ line, of: from }) {
      const said = readLine(line);
      if (said === undefined || 'adopts' in said) return;
      if ('system' in said) hasSystem = true;
      else if ('turn' in said) {
        entries.push(from === callId ? { ...said, from } : settledElsewhere({ ...said, from }));
        if (said.turn.role === 'assistant' && from === callId) reserved = undefined;
        // An agent makes one call at a time.
        if (said.turn.role === 'tool') for (const exchange of asking.splice(0)) delete exchange.asked;
        if (said.effect?.exchanged) exchanges.push(said.effect.exchanged);
      } else if ('reserved' in said) {
        if (from === callId) note({ costMicroUsd: said.reserved, ...defined({ tokens: said.tokens }) });
      } else if ('announced' in said) announced.set(said.ask, said.announced);
      else if ('exchanged' in said) {
        const exchange = { ...said.exchanged };
        exchanges.push(exchange);
        asking.push(exchange);
      } else ended.add(said.ask);
    },
    turns: () => entries.map(({ turn }) => turn),
    entries: () => entries,
    of: (ask) => entries.filter((entry) => entry.ask === ask).map(({ turn }) => turn),
    answered: (ask) => ended.has(ask),
    requests: () => new Set(entries.flatMap(({ ask, turn, from }) => (turn.role === 'user' && from === callId ? [ask] : []))).size,
    madeIn: (ask, made) => entries.find((entry) => entry.ask === ask && entry.turn.calls?.some(({ id }) => id === made))?.from ?? callId,
    effects: () => entries.flatMap(({ effect }) => effect ?? []),
    exchanges: () => exchanges,
    spawned: () => spawnedUpTo(Number.POSITIVE_INFINITY),
    unannounced(ask) {
      const known = new Set(entries.flatMap((entry) => (entry.ask <= ask ? (entry.effect?.announced ?? []) : [])));
      for (const [of, results] of announced) if (of <= ask) for (const { id } of results) known.add(id);
      return spawnedUpTo(ask).filter(({ id }) => !known.has(id));
    },
    announced: (ask) => announced.get(ask),
    reserved: () => reserved,
    unsettled: () => (reserved === undefined ? lost : [...lost, reserved]),
    hasSystem: () => hasSystem,
  };
}

/** Its cost and its journal entries belong to the try that it comes from. */
function settledElsewhere({ turn, effect, ...entry }: ConversationEntry): ConversationEntry {
  const { usage: _charged, model: _asked, ...rest } = turn;
  const { journal: _kept, ...did } = effect ?? {};
  return { ...entry, turn: rest, ...defined({ effect: effect && did }) };
}
