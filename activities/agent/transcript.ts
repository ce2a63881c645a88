import type { SpawnResult } from '../../plan/agents/spawned-agent';
import type { ToolCall } from '../../plan/agents/tool';
import type { Exchange } from '../../plan/board/exchange';
import type { Amounts } from '../../plan/budgets/budget';
import { defined } from '../../plan/defined';
import type { Json } from '../../plan/text/json';
import { isTooDeep, unlessTooDeep } from '../../plan/text/json-depth';
import type { ClaimedLog, Ledger } from '../../records/ledger';
import { asJson } from '../../records/stored-json';
import { type RecordedConversation, recordedConversation } from '../../records/transcripts/recorded-conversation';
import {
  type RecordedLine,
  readLine,
  recordedLines,
  requestsLog,
  type ToolEffect,
  type TranscriptLine,
  transcriptLog,
  withAdopted,
} from '../../records/transcripts/transcript-log';
import type { Turn } from '../../records/transcripts/turn';
import type { ActivityCall } from '../activity-call';
import { storeOutput } from '../store-output';
import type { Toolbox } from '../toolbox';
import { turnSpans } from '../traces/turn-spans';
import { idempotencyKey } from './idempotency-key';

/**
 * One call's running conversation: its turns so far, and the only writer of its log (`transcript-log.ts`).
 *
 * Invariants: 1. a turn is durable before anything is done with it; 2. every request is in log `<address>/requests` before it is made, so
 * that a full or read-only store fails before anything is paid for; 3. a tool's effect is recorded with its result, so both exist or
 * neither; 4. the last to open it is its writer: everybody else who writes here fails with `worker.lost` from then on.
 */
export interface Transcript extends RecordedConversation {
  /** The same as `turns` for the agent itself: its request is unmasked if it is known here. */
  asAnswered(): readonly Turn[];
  /** @param effect recorded with the request; called once, when it is written */
  request(ask: number, system: string, prompt: string, effect?: () => Promise<ToolEffect>): Promise<void>;
  add(ask: number, turn: Turn, effect?: ToolEffect): Promise<void>;
  /** Reserves before a reply is requested; zero if it never began. */
  reserve(ask: number, atMost: Amounts): Promise<void>;
  announce(ask: number, results: readonly SpawnResult[]): Promise<void>;
  /** A decision for which an open call waits. */
  exchange(ask: number, exchanged: Exchange): Promise<void>;
  /** @param marked the reply has no mark: the mark may be lost with the machine */
  end(ask: number, marked?: 'noted'): Promise<void>;
  /** Checks ownership before an effect that no line here records. */
  requireOwn(): Promise<void>;
}

/** @param broken the id of a broken-off try, whose turns this one continues from if it has none of its own yet */
export async function openTranscript(toolbox: Toolbox, call: ActivityCall, masks: Masks, broken?: string): Promise<Transcript> {
  const { ledger } = toolbox;
  const log = await ledger.claim(call.key, transcriptLog(call.id), call.scheduledAtMs);
  const { take, ...said } = recordedConversation(call.id);
  /** Prompts as rendered, secrets included. */
  const prompts = new Map<number, string>();

  const spans = turnSpans(toolbox, call);

  async function write(...lines: TranscriptLine[]): Promise<void> {
    const written = lines.map(asJson);
    await log.append(...written);
    for (const line of written) take({ line, of: call.id });
  }

  const own = await withAdopted(ledger, call.key, call.id, log.before);
  const standing = broken !== undefined && own.length === 0 ? await adopt(ledger, log, call, broken) : own;
  standing.forEach(take);

  const asked = (turn: Turn, ask: number): Turn => {
    const prompt = turn.role === 'user' ? prompts.get(ask) : undefined;
    return prompt !== undefined && masks.mask(prompt) === turn.text ? { ...turn, text: prompt } : turn;
  };
  const lineOf = (ask: number, turn: Turn, effect?: ToolEffect): TranscriptLine => {
    const did = effect === undefined ? {} : { effect: maskedEffect(effect, masks) };
    return { ask, turn: maskedTurn(turn, masks), ...did };
  };
  const add: Transcript['add'] = (ask, turn, effect) => {
    const line = lineOf(ask, turn, effect);
    // Turns and effects must not be paid for again because a store is full; a prompt has cost nothing yet.
    if (turn.role === 'user') return write(line);
    return storeOutput(toolbox, call, () => write(line)).then(() => spans.recorded(maskedTurn(turn, masks), said.entries().length));
  };
  return {
    ...said,
    asAnswered: () => said.entries().map(({ turn, ask }) => asked(turn, ask)),
    async request(ask, system, prompt, effect) {
      prompts.set(ask, prompt);
      spans.asked();
      await log.requireOwn();
      const lines: TranscriptLine[] = said.hasSystem() ? [] : [{ system: masks.mask(system) }];
      if (said.of(ask).length === 0) lines.push(lineOf(ask, { role: 'user', text: prompt }, await effect?.()));
      const request = { ask, idempotencyKey: idempotencyKey(call, ask), attempt: call.attempt };
      // One write must be durable before anything is paid for: that of the prompt, else that of the request.
      if (lines.length === 0) return await ledger.append(call.key, requestsLog(call.id), request);
      await ledger.note(call.key, requestsLog(call.id), request);
      await write(...lines);
    },
    add,
    reserve: (ask, { costMicroUsd = 0, tokens }) => write({ ask, reserved: costMicroUsd, ...defined({ tokens }) }),
    announce: (ask, results) => write({ ask, announced: results }),
    exchange: (ask, exchanged) => write({ ask, exchanged: maskedExchange(exchanged, masks) }),
    async end(ask, marked) {
      const line = asJson({ ask, end: true } satisfies TranscriptLine);
      await (marked === 'noted' ? log.note(line) : log.append(line));
      take({ line, of: call.id });
    },
    requireOwn: () => log.requireOwn(),
  };
}

/** The turns and effects of an earlier try become the beginning of this one, unless none of them was paid for. */
async function adopt(ledger: Ledger, log: ClaimedLog, { key, scheduledAtMs }: ActivityCall, broken: string): Promise<RecordedLine[]> {
  // An earlier attempt that still works on that try adds nothing more.
  await ledger.claim(key, transcriptLog(broken), scheduledAtMs);
  const lines = (await ledger.lines(key, transcriptLog(broken))).length;
  const recorded = await recordedLines(ledger, key, broken, lines);
  // Else the new try asks in its own words.
  if (!recorded.some(({ line }) => isPaid(line))) return [];
  await log.append(asJson({ adopts: broken, lines } satisfies TranscriptLine));
  return recorded;
}

/** A reply, or a tool's effect for one: none of it may be paid for again. */
function isPaid(line: Json): boolean {
  const said = readLine(line);
  return said !== undefined && 'turn' in said && said.turn.role !== 'user' && said.turn.stop !== 'broken';
}

/** Masks everything before it is recorded. */
interface Masks {
  mask(text: string): string;
  maskJson(value: Json): Json;
}

/** A turn in recordable form: without secrets, and without values nested too deep to read again. */
function maskedTurn({ text, calls, call, message, ...rest }: Turn, { mask, maskJson }: Masks): Turn {
  const masked = (made: ToolCall): ToolCall => ({ ...made, tool: mask(made.tool), args: maskJson(unlessTooDeep(made.args)) });
  return {
    ...rest,
    text: mask(text),
    ...defined({
      calls: calls?.length ? calls.map(masked) : undefined,
      call: call ? masked(call) : undefined,
      message: message === undefined || isTooDeep(message) ? undefined : maskJson(message),
    }),
  };
}

function maskedExchange(exchanged: Exchange, { maskJson }: Masks): Exchange {
  const masked: unknown = maskJson(asJson(exchanged));
  return masked as Exchange;
}

function maskedEffect(effect: ToolEffect, { maskJson }: Masks): ToolEffect {
  // Masking changes texts and nothing of the form.
  const masked: unknown = maskJson(asJson(effect));
  return masked as ToolEffect;
}
