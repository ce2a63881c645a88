import type { z } from 'zod';
import { reportedUsage } from '../../../plan/budgets/reported-usage';
import { defined } from '../../../plan/defined';
import type { FailureCode } from '../../../plan/run/failure';
import { field, type Json } from '../../../plan/text/json';
import { fields, flag, json, listOf, text } from '../../../records/outside-json';
import type { ProgramEvent } from './preset';

const USAGE = fields({ input: json, output: json, cacheRead: json, cacheWrite: json }).transform(
  ({ input: inputTokens, output: outputTokens, cacheRead: cacheReadTokens, cacheWrite: cacheWriteTokens }) =>
    reportedUsage({ inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }),
);

const RUN = fields({
  payloads: listOf(fields({ text, isError: flag, isReasoning: flag })),
  meta: fields({
    agentMeta: fields({ sessionId: text, model: text, usage: USAGE.optional() }),
    toolSummary: fields({ tools: listOf(text) }),
    error: fields({ message: text, kind: text }).optional(),
    aborted: flag,
    completion: fields({ refusal: flag }),
  }),
});

const DOCUMENT = fields({ status: text, summary: text });

/**
 * Parses the document at the end of `openclaw agent --json`: `payloads` are its replies, `meta` describes the run. A gateway returns the
 * same as `result`, next to `status`.
 *
 * Source: https://docs.openclaw.ai/cli/agent and src/agents/pi-embedded-runner/types.ts (openclaw/openclaw)
 */
export function openclawEvents(written: Json): ProgramEvent[] {
  const run = RUN.parse(field(written, 'result') ?? written);
  const { sessionId, usage } = run.meta.agentMeta;
  return [
    ...(sessionId === undefined ? [] : [{ kind: 'session', id: sessionId } as const]),
    // Before an event that may end it.
    ...(usage === undefined ? [] : [{ kind: 'total', usage } as const]),
    ...used(run.meta.toolSummary.tools.filter((tool) => tool !== undefined)),
    ...outcome(DOCUMENT.parse(written), run),
  ];
}

/** Only the names of tools are reported, and only at the end. */
function used(tools: readonly string[]): ProgramEvent[] {
  const id = (n: number): string => `tool-${n + 1}`;
  return [
    ...tools.map((tool, n) => ({ kind: 'call', id: id(n), tool, args: {} }) as const),
    ...tools.map((_, n) => ({ kind: 'result', id: id(n), text: '(the program reports no results)' }) as const),
  ];
}

function outcome({ status = 'ok', summary }: z.infer<typeof DOCUMENT>, { payloads, meta }: z.infer<typeof RUN>): ProgramEvent[] {
  const texts = (wanted: boolean) =>
    payloads
      .filter(({ isError = false, isReasoning }) => isError === wanted && !isReasoning)
      .flatMap(({ text }) => text ?? [])
      .join('\n\n');
  const { error, aborted, completion, agentMeta } = meta;
  const [failed, said] = [texts(true), texts(false)];
  if (error || aborted || status !== 'ok' || (failed && !said)) {
    const message = error?.message ?? (failed || summary || 'it was cancelled');
    return [{ kind: 'trouble', message, fatal: true, ...defined({ code: CODES.get(error?.kind ?? '') }) }];
  }
  if (completion.refusal) return [{ kind: 'trouble', message: said || 'it refused', fatal: true, code: 'model.refused' }];
  return [{ kind: 'said', text: said, ...defined({ model: agentMeta.model }) }, { kind: 'end' }];
}

const CODES: ReadonlyMap<string, FailureCode> = new Map([
  ['context_overflow', 'model.context-length'],
  ['compaction_failure', 'model.context-length'],
]);
