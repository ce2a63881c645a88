import { reportedUsage, usageWithout } from '../../../plan/budgets/reported-usage';
import type { Usage } from '../../../plan/budgets/usage';
import { field, type Json } from '../../../plan/text/json';
import { listField, numberField, textField } from './json-fields';
import type { ProgramEvent } from './preset';

/**
 * Parses one line of `codex exec --json`: `thread.started` with the session, `item.started` and `item.completed` for texts and actions,
 * `turn.completed` with the total usage, `turn.failed`. `error` alone ends nothing: it also reports connections that are retried.
 *
 * Source: https://developers.openai.com/codex/noninteractive and the events of codex-rs/exec/src/exec_events.rs (openai/codex)
 */
export function codexEvents(line: Json): ProgramEvent[] {
  switch (field(line, 'type')) {
    case 'thread.started': {
      const id = textField(line, 'thread_id');
      return id === undefined ? [] : [{ kind: 'session', id }];
    }
    case 'item.started':
      return begun(call(field(line, 'item')));
    case 'item.completed':
      return completed(field(line, 'item'));
    case 'turn.completed':
      return [{ kind: 'total', usage: codexUsage(field(line, 'usage')) }, { kind: 'end' }];
    case 'turn.failed':
      return [{ kind: 'trouble', message: textField(field(line, 'error'), 'message') ?? 'the turn failed', fatal: true }];
    case 'error':
      return [{ kind: 'trouble', message: textField(line, 'message') ?? 'an error' }];
    default:
      return [];
  }
}

/** It does not report which calls belong to one reply, and reports each when it begins. */
function begun(made: ProgramEvent[]): ProgramEvent[] {
  return made.length === 0 ? [] : [...made, { kind: 'whole' }];
}

function completed(item: Json | undefined): ProgramEvent[] {
  const id = textField(item, 'id') ?? '';
  if (field(item, 'type') === 'agent_message') return [{ kind: 'said', text: textField(item, 'text') ?? '' }];
  if (field(item, 'type') === 'error') return [{ kind: 'trouble', message: textField(item, 'message') ?? 'an error' }];
  const made = call(item);
  if (made.length === 0) return [];
  const failed = ['failed', 'declined'].includes(textField(item, 'status') ?? '');
  return [...made, { kind: 'result', id, text: resultText(item), ...(failed ? { failed: true } : {}) }];
}

/** An item as a call. Thoughts, plans and to-do lists are none. */
function call(item: Json | undefined): ProgramEvent[] {
  const id = textField(item, 'id');
  if (id === undefined) return [];
  const made = (tool: string, args: Json): ProgramEvent[] => [{ kind: 'call', id, tool, args }];
  switch (field(item, 'type')) {
    case 'command_execution':
      return made('command_execution', { command: textField(item, 'command') ?? '' });
    case 'file_change':
      return made('file_change', { changes: [...listField(item, 'changes')] });
    case 'web_search':
      return made('web_search', { query: textField(item, 'query') ?? '' });
    case 'mcp_tool_call':
      return made(`mcp__${textField(item, 'server') ?? ''}__${textField(item, 'tool') ?? ''}`, field(item, 'arguments') ?? {});
    case 'collab_tool_call':
      return made('collab_tool_call', { tool: textField(item, 'tool') ?? '', prompt: textField(item, 'prompt') ?? '' });
    default:
      return [];
  }
}

function resultText(item: Json | undefined): string {
  const output = textField(item, 'aggregated_output');
  if (output !== undefined) {
    const code = numberField(item, 'exit_code');
    return code === undefined || code === 0 ? output : `${output}\n(exit code ${code})`;
  }
  const error = textField(field(item, 'error'), 'message');
  if (error !== undefined) return error;
  const content = listField(field(item, 'result'), 'content').map((block) => textField(block, 'text') ?? '');
  return content.length > 0 ? content.join('\n') : (textField(item, 'status') ?? '');
}

/** Its input tokens include those read from and written to the cache. It reports no cost. */
function codexUsage(usage: Json | undefined): Usage {
  const cacheReadTokens = field(usage, 'cached_input_tokens');
  const cacheWriteTokens = field(usage, 'cache_write_input_tokens');
  return reportedUsage({
    inputTokens: usageWithout(field(usage, 'input_tokens'), cacheReadTokens, cacheWriteTokens),
    outputTokens: field(usage, 'output_tokens'),
    ...{ cacheReadTokens, cacheWriteTokens },
  });
}
