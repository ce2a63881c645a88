import type { z } from 'zod';
import { reportedUsage, usageWithout } from '../../../plan/budgets/reported-usage';
import { defined } from '../../../plan/defined';
import type { Json } from '../../../plan/text/json';
import { fields, item, json, listOf, number, text } from '../../../records/outside-json';
import type { ProgramEvent } from './preset';

/** Its input tokens include those read from and written to the cache. It reports no cost. */
const USAGE = fields({ input_tokens: json, output_tokens: json, cached_input_tokens: json, cache_write_input_tokens: json }).transform(
  ({
    input_tokens: input,
    output_tokens: outputTokens,
    cached_input_tokens: cacheReadTokens,
    cache_write_input_tokens: cacheWriteTokens,
  }) =>
    reportedUsage({
      inputTokens: usageWithout(input, cacheReadTokens, cacheWriteTokens),
      ...{ outputTokens, cacheReadTokens, cacheWriteTokens },
    }),
);

const ITEM = fields({
  type: text,
  id: text,
  status: text,
  text,
  message: text,
  command: text,
  aggregated_output: text,
  exit_code: number,
  changes: listOf(item),
  query: text,
  server: text,
  tool: text,
  arguments: json,
  prompt: text,
  error: fields({ message: text }),
  result: fields({ content: listOf(fields({ text })) }),
});

const LINE = fields({ type: text, thread_id: text, item: ITEM, usage: USAGE, error: fields({ message: text }), message: text });

type Item = z.infer<typeof ITEM>;

/**
 * Parses one line of `codex exec --json`: `thread.started` with the session, `item.started` and `item.completed` for texts and actions,
 * `turn.completed` with the total usage, `turn.failed`. `error` alone ends nothing: it also reports connections that are retried.
 *
 * Source: https://developers.openai.com/codex/noninteractive and the events of codex-rs/exec/src/exec_events.rs (openai/codex)
 */
export function codexEvents(written: Json): ProgramEvent[] {
  const { type, thread_id: thread, item, usage, error, message = 'an error' } = LINE.parse(written);
  switch (type) {
    case 'thread.started':
      return thread === undefined ? [] : [{ kind: 'session', id: thread }];
    case 'item.started':
      return begun(call(item));
    case 'item.completed':
      return completed(item);
    case 'turn.completed':
      return [{ kind: 'total', usage }, { kind: 'end' }];
    case 'turn.failed':
      return [{ kind: 'trouble', message: error.message ?? 'the turn failed', fatal: true }];
    case 'error':
      return [{ kind: 'trouble', message }];
    default:
      return [];
  }
}

/** It does not report which calls belong to one reply, and reports each when it begins. */
function begun(made: ProgramEvent[]): ProgramEvent[] {
  return made.length === 0 ? [] : [...made, { kind: 'whole' }];
}

function completed(item: Item): ProgramEvent[] {
  const { type, id = '', text = '', message = 'an error', status = '' } = item;
  if (type === 'agent_message') return [{ kind: 'said', text }];
  if (type === 'error') return [{ kind: 'trouble', message }];
  const made = call(item);
  if (made.length === 0) return [];
  const failed = ['failed', 'declined'].includes(status);
  return [...made, { kind: 'result', id, text: resultText(item), ...defined({ failed: failed || undefined }) }];
}

/** An item as a call. Thoughts, plans and to-do lists are not calls. */
function call({ type, id, command = '', changes, query = '', server = '', tool = '', arguments: args, prompt = '' }: Item): ProgramEvent[] {
  if (id === undefined) return [];
  const made = (tool: string, args: Json): ProgramEvent[] => [{ kind: 'call', id, tool, args }];
  switch (type) {
    case 'command_execution':
      return made('command_execution', { command });
    case 'file_change':
      return made('file_change', { changes });
    case 'web_search':
      return made('web_search', { query });
    case 'mcp_tool_call':
      return made(`mcp__${server}__${tool}`, args ?? {});
    case 'collab_tool_call':
      return made('collab_tool_call', { tool, prompt });
    default:
      return [];
  }
}

function resultText({ aggregated_output: output, exit_code: code = 0, error, result, status = '' }: Item): string {
  if (output !== undefined) return code === 0 ? output : `${output}\n(exit code ${code})`;
  if (error.message !== undefined) return error.message;
  return result.content.length > 0 ? result.content.map(({ text = '' }) => text).join('\n') : status;
}
