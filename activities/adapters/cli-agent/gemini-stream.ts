import type { z } from 'zod';
import { reportedUsage, usageWithout } from '../../../plan/budgets/reported-usage';
import { defined } from '../../../plan/defined';
import type { Json } from '../../../plan/text/json';
import { fields, flag, json, text } from '../../../records/outside-json';
import type { ProgramEvent } from './preset';

/** `cached` is included in `input_tokens`. It reports no cost. */
const USAGE = fields({ input_tokens: json, output_tokens: json, cached: json }).transform(
  ({ input_tokens: input, output_tokens: outputTokens, cached: cacheReadTokens }) =>
    reportedUsage({ inputTokens: usageWithout(input, cacheReadTokens), outputTokens, cacheReadTokens }),
);

const LINE = fields({
  type: text,
  session_id: text,
  role: text,
  content: text,
  delta: flag,
  tool_id: text,
  tool_name: text,
  parameters: json,
  output: text,
  status: text,
  error: fields({ message: text }),
  message: text,
  stats: USAGE.optional(),
});

type Line = z.infer<typeof LINE>;

/**
 * Parses one line of `gemini --output-format stream-json`: `init` with the session, `message` in pieces, `tool_use`, `tool_result`, `error`
 * for non-fatal problems, `result` with the total usage.
 *
 * Source: https://geminicli.com/docs/cli/headless/ and packages/core/src/output/types.ts (google-gemini/gemini-cli)
 */
export function geminiEvents(written: Json): ProgramEvent[] {
  const line = LINE.parse(written);
  switch (line.type) {
    case 'init':
      return line.session_id === undefined ? [] : [{ kind: 'session', id: line.session_id }];
    case 'message':
      return message(line);
    case 'tool_use':
      return toolUse(line);
    case 'tool_result':
      return toolResult(line);
    case 'error':
      return [{ kind: 'trouble', message: line.message ?? 'an error' }];
    case 'result':
      return result(line);
    default:
      return [];
  }
}

function message({ role, content = '', delta: piece }: Line): ProgramEvent[] {
  return role === 'assistant' ? [{ kind: 'said', text: content, ...defined({ piece }) }] : [];
}

/** It does not report where a reply ends. */
function toolUse({ tool_id: id, tool_name: tool, parameters }: Line): ProgramEvent[] {
  return id === undefined || tool === undefined ? [] : [{ kind: 'call', id, tool, args: parameters ?? {} }, { kind: 'whole' }];
}

function toolResult({ tool_id: id, output, error, status }: Line): ProgramEvent[] {
  if (id === undefined) return [];
  return [{ kind: 'result', id, text: output ?? error.message ?? '', ...defined({ failed: status === 'error' || undefined }) }];
}

function result({ stats, status, error }: Line): ProgramEvent[] {
  const total: ProgramEvent[] = stats === undefined ? [] : [{ kind: 'total', usage: stats }];
  if (status !== 'error') return [...total, { kind: 'end' }];
  return [...total, { kind: 'trouble', message: error.message ?? 'an error', fatal: true }];
}
