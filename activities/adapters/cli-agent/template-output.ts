import { reportedUsage } from '../../../plan/budgets/reported-usage';
import { defined } from '../../../plan/defined';
import { isJsonObject, type Json } from '../../../plan/text/json';
import { fields, flag, json, text } from '../../../records/outside-json';
import { USAGE } from './claude-stream';
import type { ProgramEvent } from './preset';

/** The fields of a document that may hold the reply, in the order in which they are tried. */
const REPLY_FIELDS = ['result', 'reply', 'response', 'text', 'output'] as const;

const DOCUMENT = fields({
  ...{ result: json, reply: json, response: json, text: json, output: json, model: text },
  ...{ usage: json, cost_usd: json, total_cost_usd: json, is_error: flag, error: json },
});

/**
 * The meaning of `output: json`. The reply is the first of `result`, `reply`, `response`, `text`, `output` that exists, unchanged if it is
 * text, else as JSON; a document with none of them is itself the reply. Further fields: `model`; `usage` with `input_tokens`,
 * `output_tokens`, `cache_read_input_tokens`, `cache_creation_input_tokens`; `cost_usd` or `total_cost_usd`; `is_error: true`, or `error`
 * without a reply, means that it failed.
 */
export function templateEvents(written: Json): ProgramEvent[] {
  if (!isJsonObject(written)) return replied(asText(written));
  const { usage, is_error: isError, error, model, ...said } = DOCUMENT.parse(written);
  const cost = said.total_cost_usd ?? said.cost_usd;
  const isCounted = isJsonObject(usage) || typeof cost === 'number';
  const total: ProgramEvent[] = isCounted ? [{ kind: 'total', usage: reportedUsage(USAGE.parse(usage), cost) }] : [];
  const found = REPLY_FIELDS.map((name) => said[name]).find((value) => value !== undefined && value !== null);
  if (isError || (found === undefined && error !== undefined && error !== null)) {
    const message = FAILURE.parse(error).message ?? asText(error === undefined ? (found ?? 'it failed') : error);
    return [...total, { kind: 'trouble', message, fatal: true }];
  }
  return found === undefined ? replied(asText(written)) : [...total, ...replied(asText(found), model)];
}

const FAILURE = fields({ message: text });

function replied(text: string, model?: string): ProgramEvent[] {
  return [{ kind: 'said', text, ...defined({ model }) }, { kind: 'end' }];
}

function asText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
