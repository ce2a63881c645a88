import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { ToolCall } from '../../../plan/agents/tool';
import { reportedReply, usageWithout } from '../../../plan/budgets/reported-usage';
import type { Usage } from '../../../plan/budgets/usage';
import { defined } from '../../../plan/defined';
import { isJsonObject, type Json, type JsonObject } from '../../../plan/text/json';
import { jsonIn } from '../../../plan/text/json-text';
import { fields, json, listOf, text } from '../../../records/outside-json';
import { replySize } from '../model/reply-size';
import type { ModelReply } from '../model/service';
import { CALLS, type CallParts, openCallParts } from './call-parts';
import type { KeptMessage } from './messages';

/** `prompt_tokens` includes those read from the server's cache. */
const USAGE = fields({
  prompt_tokens: json,
  completion_tokens: json,
  prompt_tokens_details: fields({ cached_tokens: json }),
  prompt_cache_hit_tokens: json,
});

/** Some servers send the text in parts, including thinking. */
const CONTENT = z.union([
  z.string(),
  listOf(fields({ type: text, text }).transform(({ type, text = '' }) => (type === 'text' ? text : ''))).transform((parts) =>
    parts.join(''),
  ),
]);

const DELTA = fields({ content: CONTENT, refusal: text, reasoning_content: text, ...CALLS });

const PIECE = fields({
  model: text,
  usage: json,
  choices: listOf(fields({ index: json, delta: json, message: json, finish_reason: text })),
});

/**
 * Assembles a reply from the pieces of a stream, or from the one piece of a server that does not stream. Pure, except for the ids of calls
 * that have none.
 *
 * Invariants: 1. in a cut reply incomplete arguments make no call; elsewhere the agent gets the error;
 * 2. usage is what the service reports, or nothing; 3. nothing grows beyond `REPLY_CHARACTERS`: fails with `output.too-large`.
 */
export interface CompletionParts {
  take(piece: Json): void;
  /** Whether any piece has come. */
  begun(): boolean;
  /** Whether the service has said why it ended. */
  finished(): boolean;
  text(): string;
  usage(): Usage | undefined;
  /** @param model the requested model, if the service does not say which one answered */
  reply(model: string): ModelReply;
}

const CUT = ['length', 'max_tokens', 'model_length'];
const REFUSED = ['content_filter', 'safety', 'refusal', 'recitation', 'prohibited_content'];

export function openReplyParts(): CompletionParts {
  const grow = replySize();
  let [text, refusal, reasoning] = ['', '', ''];
  let begun = false;
  let chosen = false;
  let finish: string | undefined;
  let model: string | undefined;
  let usage: Usage | undefined;
  const calls: CallParts = openCallParts();

  function takeDelta({ content, refusal: refused = '', reasoning_content: thought = '', ...delta }: z.infer<typeof DELTA>): void {
    text += content;
    refusal += refused;
    reasoning += thought;
    grow(content.length + refused.length + thought.length + calls.take(delta));
  }

  return {
    take(piece) {
      begun = true;
      const read = PIECE.parse(piece);
      usage = completionUsage(read.usage) ?? usage;
      model = read.model || model;
      const choice = read.choices.find(({ index }) => (index ?? 0) === 0);
      chosen ||= choice !== undefined;
      takeDelta(DELTA.parse(choice?.delta ?? choice?.message));
      finish = choice?.finish_reason || finish;
    },
    begun: () => begun,
    finished: () => finish !== undefined,
    text: () => text,
    usage: () => usage,
    reply(asked) {
      const reason = finish?.toLowerCase() ?? '';
      const cut = CUT.includes(reason);
      const refused = refusal !== '' || REFUSED.includes(reason);
      const made = calls.made().filter(({ args }) => !cut || isWhole(args));
      const message = keptMessage(
        reasoning,
        made.map(({ extra }) => extra),
      );
      return {
        text: wellFormed(refusal === '' ? withoutThoughts(text) : refusal),
        calls: refused ? [] : made.map(({ id, name, args }) => toolCall(id, name, args)),
        model: model ?? asked,
        ...defined({ usage }),
        ...(refused ? { stop: 'refused' } : cut ? { stop: 'cut' } : chosen ? {} : { stop: 'empty' }),
        ...(refused || message === undefined ? {} : { message }),
      };
    },
  };
}

/** If a server does not separate thinking from text. */
function withoutThoughts(text: string): string {
  return text.replace(/^\s*<think>[\s\S]*?<\/think>\s*/, '');
}

/** Half a pair of a character is no text that can be sent on. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\uFFFD');
}

function toolCall(id: string, name: string, written: string): ToolCall {
  const args = written.trim() === '' ? {} : parsedOr(written);
  return { id: id === '' ? freshId() : id, tool: name, args };
}

/** Text that is not JSON stays the model's own words: the tool's check refuses it, and the agent reads why. */
function parsedOr(written: string): Json {
  const args = jsonIn(written);
  return args === undefined ? wellFormed(written) : args;
}

function isWhole(written: string): boolean {
  return isJsonObject(parsedOr(written));
}

/** Nine letters and digits: the strictest of the servers takes no other. */
function freshId(): string {
  return randomBytes(9).toString('hex').slice(0, 9);
}

function keptMessage(reasoning: string, calls: readonly JsonObject[]): KeptMessage | undefined {
  if (calls.length === 0 || (reasoning === '' && calls.every((extra) => Object.keys(extra).length === 0))) return undefined;
  return { fields: reasoning === '' ? {} : { reasoning_content: wellFormed(reasoning) }, calls: [...calls] };
}

/** Undefined if a server reports none. */
function completionUsage(reported: Json | undefined): Usage | undefined {
  if (!isJsonObject(reported)) return undefined;
  const { prompt_tokens: prompt, completion_tokens: outputTokens, prompt_tokens_details: details, ...usage } = USAGE.parse(reported);
  // Every reply uses something: servers that do not count report zeros.
  if (!prompt && !outputTokens) return undefined;
  const cacheReadTokens = details.cached_tokens ?? usage.prompt_cache_hit_tokens;
  return reportedReply({ inputTokens: usageWithout(prompt, cacheReadTokens), outputTokens, cacheReadTokens });
}
