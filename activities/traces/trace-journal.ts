import { defined } from '../../plan/defined';
import type { EndContent } from '../../plan/run/end-content';
import type { JournalEntry } from '../../plan/run/journal';
import type { ErrorView } from '../../plan/run/status';
import { readTraceparent } from '../../plan/run/traceparent';
import { readJournalPage } from '../../records/journal/journal-pages';
import type { RunKey } from '../../records/ledger';
import { loadRun } from '../run/load-run';
import type { LoadedRun } from '../run/loaded-run';
import type { Toolbox } from '../toolbox';
import type { TraceSpan } from '../traces-port';
import { JournalSpans } from './journal-spans';
import { spanIdOf, stepSpanId, traceIdOf } from './span-ids';

/** How a run has ended. */
interface Ended {
  state: string;
  /** ISO 8601. */
  endedAt: string;
  error?: ErrorView;
}

/**
 * Sends what a stored page of the journal tells as spans. What it ends and an earlier page began is sent as the run ends.
 *
 * Invariant, of all here: nobody waits for it, and it fails nothing.
 */
export function tracePage(toolbox: Toolbox, key: RunKey, entries: readonly JournalEntry[]): void {
  inBackground(toolbox, key, async () => {
    const run = await loadRun(toolbox, key);
    return spansOf(run)
      .page(entries)
      .flatMap(({ span, within }) => (within ? [span] : []));
  });
}

/** Sends the run itself, and what no single page tells. @param content absent: nobody knows what the run did last */
export function traceEnd(toolbox: Toolbox, key: RunKey, end: Ended, content?: EndContent): void {
  inBackground(toolbox, key, async () => {
    const run = await loadRun(toolbox, key);
    const endMs = Date.parse(end.endedAt);
    const { pages, entries } = content?.journal ?? { pages: [], entries: [] };
    const journal = spansOf(run);
    const across: TraceSpan[] = [];
    for (const { ref } of pages) {
      const told = journal.page(await readJournalPage(toolbox.artifacts, ref));
      across.push(...told.flatMap(({ span, within }) => (within ? [] : [span])));
    }
    const last = journal.page(entries).map(({ span }) => span);
    return [runSpan(run, end, endMs), ...across, ...last, ...journal.left(endMs)];
  });
}

function inBackground(toolbox: Toolbox, { workflowId }: RunKey, spans: () => Promise<TraceSpan[]>): void {
  const { traces, log } = toolbox;
  if (!traces) return;
  spans().then(
    (made) => traces.add(made),
    (error: unknown) => log('debug', 'spans of a run could not be made', { workflowId, error: String(error) }),
  );
}

function spansOf({ key, steps }: LoadedRun): JournalSpans {
  return new JournalSpans(key, (id) => steps.get(id)?.kind);
}

function runSpan({ key, plan, record }: LoadedRun, { state, error }: Ended, endMs: number): TraceSpan {
  const { parent, traceparent } = record;
  const starter = traceparent === undefined ? undefined : readTraceparent(traceparent);
  const startMs = Date.parse(record.startedAt);
  const links = [
    ...(parent ? [{ traceId: traceIdOf(parent), spanId: stepSpanId(parent, parent.step) }] : []),
    ...(starter ? [starter] : []),
  ];
  return {
    traceId: traceIdOf(key),
    spanId: spanIdOf(key),
    name: plan.name,
    startMs,
    endMs: Math.max(startMs, endMs),
    attributes: { 'thermidor.run': key.workflowId, 'thermidor.pipeline': plan.name, 'thermidor.state': state },
    links,
    ...defined({ failed: state === 'failed' ? (error?.code ?? 'failed') : undefined }),
  };
}
