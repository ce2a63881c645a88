import { type ReportedCounts, reportedUsage } from '../../../plan/budgets/reported-usage';
import { defined } from '../../../plan/defined';
import type { FailureCode } from '../../../plan/run/failure';
import { field, type Json } from '../../../plan/text/json';
import { listField, numberField, textField } from './json-fields';
import type { ProgramEvent } from './preset';

/**
 * Parses one line of `claude -p --output-format stream-json --verbose --include-partial-messages`: `system` with the session and retries,
 * `assistant` for each block of a message, `stream_event` with the service's events, `user` with the results of tools, `result` at the end.
 * Blocks of one message share its id and repeat the usage it began with; the final usage is in a `stream_event` after them.
 *
 * Source: https://code.claude.com/docs/en/headless and the message types of https://code.claude.com/docs/en/agent-sdk/typescript
 */
export function claudeEvents(line: Json): ProgramEvent[] {
  switch (field(line, 'type')) {
    case 'system':
      return system(line);
    case 'assistant':
      return assistant(line);
    case 'stream_event':
      return streamed(line);
    case 'user':
      return listField(field(line, 'message'), 'content').flatMap(toolResult);
    case 'result':
      return [...session(line), ...result(line)];
    case 'rate_limit_event':
      return rateLimit(field(line, 'rate_limit_info'));
    default:
      return [];
  }
}

function system(line: Json): ProgramEvent[] {
  if (field(line, 'subtype') === 'init') return session(line);
  const status = field(line, 'subtype') === 'api_retry' ? numberField(line, 'error_status') : undefined;
  // It retries for minutes even if no other answer is possible.
  if (status !== 401 && status !== 403) return [];
  return [{ kind: 'trouble', message: `the service refused the key (${status})`, fatal: true, code: 'model.unauthorized' }];
}

function session(line: Json): ProgramEvent[] {
  const id = textField(line, 'session_id');
  return id === undefined ? [] : [{ kind: 'session', id }];
}

function assistant(line: Json): ProgramEvent[] {
  const message = field(line, 'message');
  const error = textField(line, 'error');
  const blocks = listField(message, 'content');
  // A failure of the service appears as the model's text.
  if (error !== undefined && error !== 'max_output_tokens') {
    const said = blocks.map((block) => textField(block, 'text') ?? '').join('');
    return [{ kind: 'trouble', message: said || error, ...(ERRORS[error] ? { code: ERRORS[error] } : {}) }];
  }
  const id = textField(message, 'id');
  const model = textField(message, 'model');
  const of = defined({ message: id, model });
  const events = blocks.flatMap((block): ProgramEvent[] => {
    if (field(block, 'type') === 'text') return [{ kind: 'said', text: textField(block, 'text') ?? '', ...of }];
    const [call, tool] = [textField(block, 'id'), textField(block, 'name')];
    if (field(block, 'type') !== 'tool_use' || call === undefined || tool === undefined) return [];
    return [{ kind: 'call', id: call, tool, args: field(block, 'input') ?? {}, ...of }];
  });
  const usage = field(message, 'usage');
  if (usage === undefined) return events;
  return [...events, { kind: 'usage', counts: claudeCounts(usage), ...defined({ message: id }) }];
}

/** Reports a reply's usage before it is whole. Replies of agents below it are not reported as its own. */
function streamed(line: Json): ProgramEvent[] {
  if (textField(line, 'parent_tool_use_id') !== undefined) return [];
  const event = field(line, 'event');
  const usage = field(event, 'usage');
  if (field(event, 'type') === 'message_delta' && usage !== undefined) return [{ kind: 'usage', counts: claudeCounts(usage) }];
  return field(event, 'type') === 'message_stop' ? [{ kind: 'whole' }] : [];
}

/** `error` of a message. */
const ERRORS: Readonly<Record<string, FailureCode>> = {
  authentication_failed: 'model.unauthorized',
  billing_error: 'model.unauthorized',
  rate_limit: 'model.overloaded',
  server_error: 'model.api-error',
};

function toolResult(block: Json): ProgramEvent[] {
  const id = textField(block, 'tool_use_id');
  if (field(block, 'type') !== 'tool_result' || id === undefined) return [];
  return [
    { kind: 'result', id, text: contentText(field(block, 'content')), ...(field(block, 'is_error') === true ? { failed: true } : {}) },
  ];
}

function contentText(content: Json | undefined): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((block) => textField(block, 'text') ?? `[${textField(block, 'type') ?? 'something'}]`).join('\n');
}

function result(line: Json): ProgramEvent[] {
  const subtype = textField(line, 'subtype') ?? '';
  const usage = field(line, 'usage');
  const total: ProgramEvent[] =
    usage === undefined ? [] : [{ kind: 'total', usage: reportedUsage(claudeCounts(usage), field(line, 'total_cost_usd')) }];
  const text = textField(line, 'result');
  if (subtype === 'success' && field(line, 'is_error') !== true && field(line, 'stop_reason') !== 'refusal')
    return [...total, { kind: 'end', ...defined({ text }) }];
  const errors = listField(line, 'errors').filter((one): one is string => typeof one === 'string');
  const code = resultCode(line, subtype);
  return [
    ...total,
    { kind: 'trouble', message: [text, ...errors].filter(Boolean).join('\n') || subtype, fatal: true, ...(code ? { code } : {}) },
  ];
}

function resultCode(line: Json, subtype: string): FailureCode | undefined {
  if (subtype === 'error_max_turns') return 'agent.turns-used-up';
  if (field(line, 'stop_reason') === 'refusal') return 'model.refused';
  const status = numberField(line, 'api_error_status');
  if (status === 401 || status === 403) return 'model.unauthorized';
  if (status === 429 || status === 529) return 'model.overloaded';
  if (status === 404) return 'model.bad-request';
  if (status === 413) return 'model.context-length';
  return status !== undefined && status >= 500 ? 'model.api-error' : undefined;
}

/** Sent before a limit is reached too; only `rejected` stops anything. */
function rateLimit(info: Json | undefined): ProgramEvent[] {
  if (textField(info, 'status') !== 'rejected') return [];
  const resetsAt = numberField(info, 'resetsAt');
  const retry = resetsAt === undefined ? {} : { retryAtMs: resetsAt * 1000 };
  return [{ kind: 'trouble', message: 'the rate limit is reached', code: 'model.overloaded', ...retry }];
}

function claudeCounts(usage: Json): ReportedCounts {
  return {
    inputTokens: field(usage, 'input_tokens'),
    outputTokens: field(usage, 'output_tokens'),
    cacheReadTokens: field(usage, 'cache_read_input_tokens'),
    cacheWriteTokens: field(usage, 'cache_creation_input_tokens'),
  };
}
