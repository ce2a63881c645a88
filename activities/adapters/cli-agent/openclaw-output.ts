import { reportedUsage } from '../../../plan/budgets/reported-usage';
import { defined } from '../../../plan/defined';
import type { FailureCode } from '../../../plan/run/failure';
import { field, type Json } from '../../../plan/text/json';
import { listField, textField } from './json-fields';
import type { ProgramEvent } from './preset';

/**
 * Parses the document at the end of `openclaw agent --json`: `payloads` are its replies, `meta` describes the run. A gateway returns the
 * same as `result`, next to `status`.
 *
 * Source: https://docs.openclaw.ai/cli/agent and src/agents/pi-embedded-runner/types.ts (openclaw/openclaw)
 */
export function openclawEvents(document: Json): ProgramEvent[] {
  const run = field(document, 'result') ?? document;
  const [payloads, meta] = [listField(run, 'payloads'), field(run, 'meta')];
  const agentMeta = field(meta, 'agentMeta');
  const [session, model] = [textField(agentMeta, 'sessionId'), textField(agentMeta, 'model')];
  return [
    ...(session === undefined ? [] : [{ kind: 'session', id: session } as const]),
    // Before an event that may end it.
    ...total(field(agentMeta, 'usage')),
    ...used(field(meta, 'toolSummary')),
    ...outcome(document, payloads, meta, model),
  ];
}

/** Only the names of tools are reported, and only at the end. */
function used(summary: Json | undefined): ProgramEvent[] {
  const tools = listField(summary, 'tools').filter((tool): tool is string => typeof tool === 'string');
  const id = (n: number): string => `tool-${n + 1}`;
  return [
    ...tools.map((tool, n) => ({ kind: 'call', id: id(n), tool, args: {} }) as const),
    ...tools.map((_, n) => ({ kind: 'result', id: id(n), text: '(the program reports no results)' }) as const),
  ];
}

function total(usage: Json | undefined): ProgramEvent[] {
  if (usage === undefined) return [];
  const counts = reportedUsage({
    inputTokens: field(usage, 'input'),
    outputTokens: field(usage, 'output'),
    cacheReadTokens: field(usage, 'cacheRead'),
    cacheWriteTokens: field(usage, 'cacheWrite'),
  });
  return [{ kind: 'total', usage: counts }];
}

function outcome(document: Json, payloads: readonly Json[], meta: Json | undefined, model: string | undefined): ProgramEvent[] {
  const texts = (wanted: boolean) =>
    payloads
      .filter((payload) => (field(payload, 'isError') === true) === wanted && field(payload, 'isReasoning') !== true)
      .flatMap((payload) => textField(payload, 'text') ?? [])
      .join('\n\n');
  const error = field(meta, 'error');
  const status = textField(document, 'status');
  const [failed, said] = [texts(true), texts(false)];
  if (error !== undefined || field(meta, 'aborted') === true || (status !== undefined && status !== 'ok') || (failed && !said)) {
    const message = textField(error, 'message') ?? (failed || textField(document, 'summary') || 'it was cancelled');
    const code = CODES[textField(error, 'kind') ?? ''];
    return [{ kind: 'trouble', message, fatal: true, ...(code ? { code } : {}) }];
  }
  if (field(field(meta, 'completion'), 'refusal') === true)
    return [{ kind: 'trouble', message: said || 'it refused', fatal: true, code: 'model.refused' }];
  return [{ kind: 'said', text: said, ...defined({ model }) }, { kind: 'end' }];
}

const CODES: Readonly<Record<string, FailureCode>> = {
  context_overflow: 'model.context-length',
  compaction_failure: 'model.context-length',
};
