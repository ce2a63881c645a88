import { reportedUsage, usageWithout } from '../../../plan/budgets/reported-usage';
import type { Usage } from '../../../plan/budgets/usage';
import { field, type Json } from '../../../plan/text/json';
import { textField } from './json-fields';
import type { ProgramEvent } from './preset';

/**
 * Parses one line of `gemini --output-format stream-json`: `init` with the session, `message` in pieces, `tool_use`, `tool_result`, `error`
 * for non-fatal problems, `result` with the total usage.
 *
 * Source: https://geminicli.com/docs/cli/headless/ and packages/core/src/output/types.ts (google-gemini/gemini-cli)
 */
export function geminiEvents(line: Json): ProgramEvent[] {
  switch (field(line, 'type')) {
    case 'init': {
      const id = textField(line, 'session_id');
      return id === undefined ? [] : [{ kind: 'session', id }];
    }
    case 'message':
      return message(line);
    case 'tool_use':
      return toolUse(line);
    case 'tool_result':
      return toolResult(line);
    case 'error':
      return [{ kind: 'trouble', message: textField(line, 'message') ?? 'an error' }];
    case 'result':
      return result(line);
    default:
      return [];
  }
}

function message(line: Json): ProgramEvent[] {
  if (field(line, 'role') !== 'assistant') return [];
  return [{ kind: 'said', text: textField(line, 'content') ?? '', ...(field(line, 'delta') === true ? { piece: true } : {}) }];
}

/** It does not report where a reply ends. */
function toolUse(line: Json): ProgramEvent[] {
  const [id, tool] = [textField(line, 'tool_id'), textField(line, 'tool_name')];
  if (id === undefined || tool === undefined) return [];
  return [{ kind: 'call', id, tool, args: field(line, 'parameters') ?? {} }, { kind: 'whole' }];
}

function toolResult(line: Json): ProgramEvent[] {
  const id = textField(line, 'tool_id');
  if (id === undefined) return [];
  const text = textField(line, 'output') ?? textField(field(line, 'error'), 'message') ?? '';
  return [{ kind: 'result', id, text, ...(field(line, 'status') === 'error' ? { failed: true } : {}) }];
}

function result(line: Json): ProgramEvent[] {
  const stats = field(line, 'stats');
  const total: ProgramEvent[] = stats === undefined ? [] : [{ kind: 'total', usage: geminiUsage(stats) }];
  if (field(line, 'status') !== 'error') return [...total, { kind: 'end' }];
  return [...total, { kind: 'trouble', message: textField(field(line, 'error'), 'message') ?? 'an error', fatal: true }];
}

/** `cached` is included in `input_tokens`. It reports no cost. */
function geminiUsage(stats: Json): Usage {
  const cacheReadTokens = field(stats, 'cached');
  return reportedUsage({
    inputTokens: usageWithout(field(stats, 'input_tokens'), cacheReadTokens),
    outputTokens: field(stats, 'output_tokens'),
    cacheReadTokens,
  });
}
