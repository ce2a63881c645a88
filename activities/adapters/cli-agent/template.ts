import type { ProgramSpec } from '../../../plan/agents/adapter';
import { reportedUsage } from '../../../plan/budgets/reported-usage';
import { defined } from '../../../plan/defined';
import { field, isJsonObject, type Json } from '../../../plan/text/json';
import { textField } from './json-fields';
import type { ProgramEvent, ProgramPreset } from './preset';

/**
 * A custom program: it gets the role and the task, and its output is the reply. Its tools cannot be limited, and its tool use is not
 * visible: its owner answers for that. It has no sessions, so each request repeats everything.
 */
export function templatePreset(name: string, spec: ProgramSpec): ProgramPreset {
  return {
    name,
    command: [],
    flags: [],
    prompt: 'stdin',
    authority: () => ({ flags: [], uses: [] }),
    toolNames: {},
    output: spec.output === 'json' ? { kind: 'document', events: templateEvents } : { kind: 'text' },
    passEnv: [],
    version: ['--version'],
    tried: [],
  };
}

/** The fields of a document that may hold the reply, in the order in which they are tried. */
const REPLY_FIELDS = ['result', 'reply', 'response', 'text', 'output'] as const;

/**
 * The meaning of `output: json`. The reply is the first of `result`, `reply`, `response`, `text`, `output` that exists, unchanged if it is
 * text, else as JSON; a document with none of them is itself the reply. Further fields: `model`; `usage` with `input_tokens`,
 * `output_tokens`, `cache_read_input_tokens`, `cache_creation_input_tokens`; `cost_usd` or `total_cost_usd`; `is_error: true`, or `error`
 * without a reply, means that it failed.
 */
export function templateEvents(document: Json): ProgramEvent[] {
  if (!isJsonObject(document)) return replied(asText(document));
  const found = REPLY_FIELDS.map((name) => field(document, name)).find((value) => value !== undefined && value !== null);
  const error = field(document, 'error');
  const isError = field(document, 'is_error') === true;
  if (isError || (found === undefined && error !== undefined && error !== null)) {
    const message = textField(error, 'message') ?? (error !== undefined ? asText(error) : asText(found ?? 'it failed'));
    return [...total(document), { kind: 'trouble', message, fatal: true }];
  }
  return found === undefined ? replied(asText(document)) : [...total(document), ...replied(asText(found), textField(document, 'model'))];
}

function replied(text: string, model?: string): ProgramEvent[] {
  return [{ kind: 'said', text, ...defined({ model }) }, { kind: 'end' }];
}

function asText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function total(document: Json): ProgramEvent[] {
  const usage = field(document, 'usage');
  const cost = field(document, 'total_cost_usd') ?? field(document, 'cost_usd');
  if (!isJsonObject(usage) && typeof cost !== 'number') return [];
  const counts = {
    inputTokens: field(usage, 'input_tokens'),
    outputTokens: field(usage, 'output_tokens'),
    cacheReadTokens: field(usage, 'cache_read_input_tokens'),
    cacheWriteTokens: field(usage, 'cache_creation_input_tokens'),
  };
  return [{ kind: 'total', usage: reportedUsage(counts, cost) }];
}
