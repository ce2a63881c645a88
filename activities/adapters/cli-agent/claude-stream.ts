import type { z } from 'zod';
import { reportedUsage } from '../../../plan/budgets/reported-usage';
import { defined } from '../../../plan/defined';
import type { FailureCode } from '../../../plan/run/failure';
import type { Json } from '../../../plan/text/json';
import { fields, flag, json, listOf, number, text } from '../../../records/outside-json';
import type { ProgramEvent } from './preset';

/** Counts by the names of Anthropic's API. */
export const USAGE = fields({
  input_tokens: json,
  output_tokens: json,
  cache_read_input_tokens: json,
  cache_creation_input_tokens: json,
}).transform((usage) => ({
  inputTokens: usage.input_tokens,
  outputTokens: usage.output_tokens,
  cacheReadTokens: usage.cache_read_input_tokens,
  cacheWriteTokens: usage.cache_creation_input_tokens,
}));

const BLOCK = fields({ type: text, text, id: text, name: text, input: json, tool_use_id: text, content: json, is_error: flag });

const LINE = fields({
  type: text,
  subtype: text,
  session_id: text,
  parent_tool_use_id: text,
  error: text,
  error_status: number,
  message: fields({ id: text, model: text, content: listOf(BLOCK), usage: USAGE.optional() }),
  event: fields({ type: text, usage: USAGE.optional() }),
  rate_limit_info: fields({ status: text, resetsAt: number }),
  // What a `result` has of its own.
  result: text,
  is_error: flag,
  stop_reason: text,
  errors: listOf(text),
  api_error_status: number,
  usage: USAGE.optional(),
  total_cost_usd: json,
});

type Line = z.infer<typeof LINE>;

/**
 * Parses one line of `claude -p --output-format stream-json --verbose --include-partial-messages`: `system` with the session and retries,
 * `assistant` for each block of a message, `stream_event` with the service's events, `user` with the results of tools, `result` at the end.
 * Blocks of one message share its id and repeat the usage it began with; the final usage is in a `stream_event` after them.
 *
 * Source: https://code.claude.com/docs/en/headless and the message types of https://code.claude.com/docs/en/agent-sdk/typescript
 */
export function claudeEvents(written: Json): ProgramEvent[] {
  const line = LINE.parse(written);
  switch (line.type) {
    case 'system':
      return system(line);
    case 'assistant':
      return assistant(line);
    case 'stream_event':
      return streamed(line);
    case 'user':
      return line.message.content.flatMap(toolResult);
    case 'result':
      return [...session(line), ...result(line)];
    case 'rate_limit_event':
      return rateLimit(line.rate_limit_info);
    default:
      return [];
  }
}

function system(line: Line): ProgramEvent[] {
  if (line.subtype === 'init') return session(line);
  const status = line.subtype === 'api_retry' ? line.error_status : undefined;
  // It retries for minutes even if no other answer is possible.
  if (status !== 401 && status !== 403) return [];
  return [{ kind: 'trouble', message: `the service refused the key (${status})`, fatal: true, code: 'model.unauthorized' }];
}

function session({ session_id: id }: Line): ProgramEvent[] {
  return id === undefined ? [] : [{ kind: 'session', id }];
}

function assistant({ error, message: { id, model, content, usage } }: Line): ProgramEvent[] {
  // A failure of the service appears as the model's text.
  if (error !== undefined && error !== 'max_output_tokens') {
    const said = content.map((block) => block.text ?? '').join('');
    return [{ kind: 'trouble', message: said || error, ...defined({ code: ERRORS.get(error) }) }];
  }
  const of = defined({ message: id, model });
  const events = content.flatMap(({ type, text = '', id: call, name: tool, input }): ProgramEvent[] => {
    if (type === 'text') return [{ kind: 'said', text, ...of }];
    if (type !== 'tool_use' || call === undefined || tool === undefined) return [];
    return [{ kind: 'call', id: call, tool, args: input ?? {}, ...of }];
  });
  return usage === undefined ? events : [...events, { kind: 'usage', counts: usage, ...defined({ message: id }) }];
}

/** Reports a reply's usage before it is whole. Replies of agents below it are not reported as its own. */
function streamed({ parent_tool_use_id: above, event: { type, usage } }: Line): ProgramEvent[] {
  if (above !== undefined) return [];
  if (type === 'message_delta' && usage !== undefined) return [{ kind: 'usage', counts: usage }];
  return type === 'message_stop' ? [{ kind: 'whole' }] : [];
}

/** `error` of a message. */
const ERRORS: ReadonlyMap<string, FailureCode> = new Map([
  ['authentication_failed', 'model.unauthorized'],
  ['billing_error', 'model.unauthorized'],
  ['rate_limit', 'model.overloaded'],
  ['server_error', 'model.api-error'],
]);

function toolResult({ type, tool_use_id: id, content, is_error: failed }: z.infer<typeof BLOCK>): ProgramEvent[] {
  if (type !== 'tool_result' || id === undefined) return [];
  return [{ kind: 'result', id, text: typeof content === 'string' ? content : CONTENT.parse(content).join('\n'), ...defined({ failed }) }];
}

const CONTENT = listOf(fields({ type: text, text }).transform(({ type = 'something', text = `[${type}]` }) => text));

function result(line: Line): ProgramEvent[] {
  const { subtype = '', usage, result: text } = line;
  const total: ProgramEvent[] = usage === undefined ? [] : [{ kind: 'total', usage: reportedUsage(usage, line.total_cost_usd) }];
  if (subtype === 'success' && !line.is_error && line.stop_reason !== 'refusal') return [...total, { kind: 'end', ...defined({ text }) }];
  const message = [text, ...line.errors].filter(Boolean).join('\n') || subtype;
  return [...total, { kind: 'trouble', message, fatal: true, ...defined({ code: resultCode(line) }) }];
}

function resultCode({ subtype, stop_reason: stopped, api_error_status: status }: Line): FailureCode | undefined {
  if (subtype === 'error_max_turns') return 'agent.turns-used-up';
  if (stopped === 'refusal') return 'model.refused';
  if (status === 401 || status === 403) return 'model.unauthorized';
  if (status === 429 || status === 529) return 'model.overloaded';
  if (status === 404) return 'model.bad-request';
  if (status === 413) return 'model.context-length';
  return status !== undefined && status >= 500 ? 'model.api-error' : undefined;
}

/** Sent before a limit is reached too; only `rejected` stops anything. */
function rateLimit({ status, resetsAt }: Line['rate_limit_info']): ProgramEvent[] {
  if (status !== 'rejected') return [];
  const retry = resetsAt === undefined ? {} : { retryAtMs: resetsAt * 1000 };
  return [{ kind: 'trouble', message: 'the rate limit is reached', code: 'model.overloaded', ...retry }];
}
