import { randomBytes } from 'node:crypto';
import type { ToolCall } from '../../../plan/agents/tool';
import { reportedReply, usageWithout } from '../../../plan/budgets/reported-usage';
import type { Usage } from '../../../plan/budgets/usage';
import { defined } from '../../../plan/defined';
import { field, isJsonObject, type Json, type JsonObject } from '../../../plan/text/json';
import { parseJson } from '../../../plan/text/json-text';
import { replySize } from '../model/reply-size';
import type { ModelReply } from '../model/service';
import { type CallParts, openCallParts } from './call-parts';
import type { KeptMessage } from './messages';

/**
 * Puts a reply together from the pieces of a stream, or from the one piece of a server that does not stream. Pure, but for the ids
 * of calls that have none.
 *
 * Invariants: 1. what is no call's whole arguments is no call where the reply was cut; elsewhere the agent gets the error;
 * 2. usage is what the service says, or nothing; 3. nothing grows beyond `REPLY_CHARACTERS`: fails with `output.too-large`.
 */
export interface CompletionParts {
  take(piece: Json): void;
  /** Whether any piece has come. */
  begun(): boolean;
  /** Whether the service has said why it ended. */
  finished(): boolean;
  text(): string;
  usage(): Usage | undefined;
  /** @param model what was asked for, where the service does not say what answered */
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

  function takeDelta(delta: Json | undefined): void {
    const more = [
      contentText(field(delta, 'content')),
      textOf(field(delta, 'refusal')),
      textOf(field(delta, 'reasoning_content')),
    ] as const;
    text += more[0];
    refusal += more[1];
    reasoning += more[2];
    grow(more[0].length + more[1].length + more[2].length + calls.take(delta));
  }

  return {
    take(piece) {
      begun = true;
      usage = completionUsage(field(piece, 'usage')) ?? usage;
      model = textOf(field(piece, 'model')) || model;
      const choice = firstChoice(field(piece, 'choices'));
      chosen ||= choice !== undefined;
      takeDelta(field(choice, 'delta') ?? field(choice, 'message'));
      finish = textOf(field(choice, 'finish_reason')) || finish;
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

function firstChoice(choices: Json | undefined): Json | undefined {
  return Array.isArray(choices) ? choices.find((choice) => (field(choice, 'index') ?? 0) === 0) : undefined;
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** Some servers put it in parts, what was thought among them. */
function contentText(content: Json | undefined): string {
  if (!Array.isArray(content)) return textOf(content);
  return content.map((part) => (field(part, 'type') === 'text' ? textOf(field(part, 'text')) : '')).join('');
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

/** What is no JSON stays the model's own words: the tool's check refuses it, and the agent reads why. */
function parsedOr(written: string): Json {
  try {
    return parseJson(written);
  } catch {
    return wellFormed(written);
  }
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

/** What a server says was used; undefined where it does not say. `prompt_tokens` has what came from its cache in it. Pure. */
function completionUsage(reported: Json | undefined): Usage | undefined {
  if (!isJsonObject(reported)) return undefined;
  const [prompt, completion] = [field(reported, 'prompt_tokens'), field(reported, 'completion_tokens')];
  // No reply uses nothing: servers that do not count say so with zeros.
  if (isNothing(prompt) && isNothing(completion)) return undefined;
  const cacheReadTokens = field(field(reported, 'prompt_tokens_details'), 'cached_tokens') ?? field(reported, 'prompt_cache_hit_tokens');
  return reportedReply({ inputTokens: usageWithout(prompt, cacheReadTokens), outputTokens: completion, cacheReadTokens });
}

function isNothing(count: Json | undefined): boolean {
  return count === undefined || count === null || count === 0;
}
