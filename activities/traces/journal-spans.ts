import { defined } from '../../plan/defined';
import type { JournalEntry } from '../../plan/run/journal';
import { isSettled, type StepState } from '../../plan/run/step-state';
import { formatPath, parseAddress, pathIn, stepIdOf } from '../../plan/steps/address';
import type { RunKey } from '../../records/ledger';
import type { TraceSpan } from '../traces-port';
import { spanIdOf, stepSpanId, traceIdOf } from './span-ids';

/** A span that a page of the journal ends. */
export interface EndedSpan {
  span: TraceSpan;
  /** It began in the same page. */
  within: boolean;
}

interface Begun {
  step: string;
  atMs: number;
  page: number;
}

/**
 * The spans of steps and gates that a journal tells of, from one page after the other. Pure.
 *
 * Invariants: 1. each page ends each span once, so pages that are read again give the same spans; 2. no reason, comment, question, message
 * or output is in a span.
 */
export class JournalSpans {
  private pages = 0;
  private readonly steps = new Map<string, Begun>();
  private readonly gates = new Map<string, Begun & { seq: number }>();
  /** The round of each path that began last. */
  private readonly rounds = new Map<string, string>();

  /** @param kindOf the kind of a step, by its id */
  constructor(
    private readonly key: RunKey,
    private readonly kindOf: (id: string) => string | undefined,
  ) {}

  /** The next page; the entries behind the last page are one, too. */
  page(entries: readonly JournalEntry[]): EndedSpan[] {
    this.pages += 1;
    return entries.flatMap((entry) => this.take(entry) ?? []);
  }

  /** What has begun and not ended. */
  left(endMs: number): TraceSpan[] {
    return [
      ...[...this.gates.values()].map((gate) => this.gateSpan(gate, endMs)),
      ...[...this.steps.values()].map((step) => this.stepSpan(step, endMs, undefined)),
    ];
  }

  private take(entry: JournalEntry): EndedSpan | undefined {
    const atMs = Date.parse(entry.at);
    if (entry.kind === 'gate') {
      const { step, seq } = entry;
      if (entry.event === 'opened') this.gates.set(step, { step, atMs, seq, page: this.pages });
      const gate = entry.event === 'closed' ? taken(this.gates, step) : undefined;
      return gate && { span: this.gateSpan(gate, atMs), within: gate.page === this.pages };
    }
    if (entry.kind !== 'step') return undefined;
    const { step, state, error } = entry;
    if (state === 'running' && !this.steps.has(step)) {
      this.steps.set(step, { step, atMs, page: this.pages });
      this.rounds.set(pathIn(step), step);
    }
    const begun = isSettled(state) || state === 'superseded' ? taken(this.steps, step) : undefined;
    return begun && { span: this.stepSpan(begun, atMs, state, error?.code), within: begun.page === this.pages };
  }

  private stepSpan({ step, atMs }: Begun, endMs: number, state: StepState | undefined, code?: string): TraceSpan {
    const address = parseAddress(step);
    const name = address ? stepIdOf(address) : step;
    return {
      traceId: traceIdOf(this.key),
      spanId: stepSpanId(this.key, step),
      parentId: this.parentOf(step),
      name,
      startMs: atMs,
      endMs: Math.max(atMs, endMs),
      attributes: { 'thermidor.step': step, ...defined({ 'thermidor.kind': this.kindOf(name), 'thermidor.state': state }) },
      ...(state === 'failed' ? { failed: code ?? 'failed' } : {}),
    };
  }

  private gateSpan({ step, atMs, seq }: Begun & { seq: number }, endMs: number): TraceSpan {
    return {
      traceId: traceIdOf(this.key),
      spanId: spanIdOf(this.key, 'gate', seq),
      parentId: stepSpanId(this.key, step),
      name: 'gate',
      startMs: atMs,
      endMs: Math.max(atMs, endMs),
      attributes: { 'thermidor.step': step },
    };
  }

  /** The step around it, or the run. */
  private parentOf(step: string): string {
    const segments = parseAddress(step)?.path.slice(0, -1) ?? [];
    const last = segments.at(-1);
    if (!last) return spanIdOf(this.key);
    const path = formatPath([...segments.slice(0, -1), { id: last.id }]);
    return stepSpanId(this.key, this.rounds.get(path) ?? path);
  }
}

function taken<T>(from: Map<string, T>, name: string): T | undefined {
  const found = from.get(name);
  from.delete(name);
  return found;
}
