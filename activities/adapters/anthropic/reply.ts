import type { z } from 'zod';
import type { ToolCall } from '../../../plan/agents/tool';
import { defined } from '../../../plan/defined';
import { ThermidorFailure } from '../../../plan/run/failure';
import { field, isJsonObject, type Json, type JsonObject } from '../../../plan/text/json';
import { jsonIn } from '../../../plan/text/json-text';
import { fields, json, number, text } from '../../../records/outside-json';
import { replySize } from '../model/reply-size';
import type { ModelReply } from '../model/service';
import { inputOf } from './messages';
import { sealedMessage } from './thinking-seal';
import { openUsage } from './usage';

const DELTA = fields({
  ...{ text, thinking: text, signature: text, partial_json: text },
  ...{ stop_reason: text, stop_details: fields({ explanation: text }) },
});

const EVENT = fields({
  ...{ type: text, index: number, content_block: json, delta: DELTA, usage: json },
  message: fields({ model: text, usage: json }),
});

/**
 * Assembles a reply from the events of its stream. Events and blocks of unknown kinds are kept or skipped, as the service's versioning
 * rules require; a malformed field counts as absent. Fails with `output.too-large`, `model.api-error` for an unknown stop reason.
 */
export interface ReplyReader {
  take(event: JsonObject): void;
  /** Whether the reply is complete, even if the stream did not end properly. */
  isWhole(): boolean;
  reply(model: string): ModelReply;
  /** What has arrived if the stream breaks off; undefined if nothing has begun. */
  broken(): { usage: ReturnType<ReturnType<typeof openUsage>['soFar']>; text: string } | undefined;
}

interface Block {
  content: JsonObject;
  /** Arguments of a call, as they come. */
  json: string;
  stopped: boolean;
}

export function readReply(): ReplyReader {
  const blocks = new Map<number, Block>();
  const usage = openUsage();
  let model: string | undefined;
  let stopReason: string | undefined;
  let refusal = '';
  const grow = replySize();
  let said = 0;
  let begun = false;

  function append(block: Block | undefined, delta: z.infer<typeof DELTA>): void {
    if (!block) return;
    for (const [kind, key] of PIECES) {
      const piece = delta[kind];
      if (piece === undefined) continue;
      grow(piece.length);
      said += piece.length;
      if (key === 'json') block.json += piece;
      else block.content[key] = `${String(block.content[key] ?? '')}${piece}`;
    }
  }

  return {
    take(event) {
      begun = true;
      const { type, index, message, content_block: content, delta, usage: used = null } = EVENT.parse(event);
      const block = index === undefined ? undefined : blocks.get(index);
      switch (type) {
        case 'message_start':
          model = message.model;
          return usage.take(message.usage ?? null);
        case 'content_block_start':
          if (index === undefined || !isJsonObject(content)) return;
          // Some blocks arrive in one piece.
          grow(JSON.stringify(content).length);
          blocks.set(index, { content: { ...content }, json: '', stopped: false });
          return;
        case 'content_block_delta':
          return append(block, delta);
        case 'content_block_stop':
          if (block) block.stopped = true;
          return;
        case 'message_delta':
          stopReason = delta.stop_reason ?? stopReason;
          refusal = delta.stop_details.explanation ?? refusal;
          return usage.take(used, true);
        default:
          return;
      }
    },
    isWhole: () => stopReason !== undefined && [...blocks.values()].every(({ stopped }) => stopped),
    reply(asked) {
      const stop = stopOf(stopReason);
      const kept = inOrder(blocks).filter(isKept(stop === 'cut'));
      const content = kept.map(contentOf);
      const calls = stop === 'refused' || stop === 'overflow' ? [] : kept.filter(isCall).map(callOf);
      const used = usage.soFar();
      return {
        text: textOf(content) || (stop === 'refused' ? refusal : ''),
        calls,
        model: model ?? asked,
        ...defined({ usage: used, stop, message: isPlain(content) ? undefined : sealedMessage(content) }),
      };
    },
    broken: () => (begun ? { usage: usage.atLeast(said), text: textOf(inOrder(blocks).map(contentOf)) } : undefined),
  };
}

/** The content of each kind of delta, and its place. */
const PIECES = [
  ['text', 'text'],
  ['thinking', 'thinking'],
  ['signature', 'signature'],
  ['partial_json', 'json'],
] as const;

function inOrder(blocks: ReadonlyMap<number, Block>): Block[] {
  return [...blocks].sort(([a], [b]) => a - b).map(([, block]) => block);
}

function stopOf(reason: string | undefined): ModelReply['stop'] | undefined {
  switch (reason) {
    case 'end_turn':
    case 'stop_sequence':
    case 'tool_use':
      return undefined;
    case 'max_tokens':
      return 'cut';
    case 'pause_turn':
      return 'goes-on';
    case 'refusal':
      return 'refused';
    case 'model_context_window_exceeded':
      return 'overflow';
    default:
      throw new ThermidorFailure('model.api-error', `the model stopped for an unknown reason: ${reason ?? 'none given'}`, {
        stopReason: reason ?? null,
      });
  }
}

/** In a cut reply the last call is incomplete, and so is thinking that was not signed. */
function isKept(cut: boolean): (block: Block, at: number, all: readonly Block[]) => boolean {
  return (block, at, all) => {
    if (field(block.content, 'type') === 'thinking')
      return typeof block.content['signature'] === 'string' && block.content['signature'] !== '';
    return !(cut && at === all.length - 1 && isCall(block));
  };
}

function isCall({ content }: Block): boolean {
  return content['type'] === 'tool_use';
}

function callOf(block: Block): ToolCall {
  const { id, name } = block.content;
  return { id: typeof id === 'string' ? id : '', tool: typeof name === 'string' ? name : '', args: argsOf(block) };
}

/** The tool's schema refuses text that is not JSON, and the model gets the error. */
function argsOf({ json, content }: Block): Json {
  if (json.trim() === '') return content['input'] ?? {};
  const args = jsonIn(json);
  return args === undefined ? json : args;
}

function contentOf(block: Block): JsonObject {
  return Object.hasOwn(block.content, 'input') || block.json !== '' ? { ...block.content, input: inputOf(argsOf(block)) } : block.content;
}

function textOf(content: readonly JsonObject[]): string {
  return content.flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : [])).join('');
}

/** One text followed by calls: the turn itself has the same information. */
function isPlain(content: readonly JsonObject[]): boolean {
  return content.every(({ type }, at) => type === 'tool_use' || (type === 'text' && at === 0));
}
