/**
 * Something that a run did, as a trace shows it: names, times and numbers; neither prompts nor outputs. Ids are hexadecimal, and derived
 * (`traces/span-ids.ts`): a span that is made again has the same.
 */
export interface TraceSpan {
  traceId: string;
  spanId: string;
  /** Absent: it is the run itself. */
  parentId?: string;
  name: string;
  /** Milliseconds since the epoch. */
  startMs: number;
  endMs: number;
  attributes: Readonly<Record<string, string | number>>;
  /** The code of its failure. */
  failed?: string;
  /** Spans of other traces that it came from. */
  links?: readonly TraceLink[];
}

export interface TraceLink {
  traceId: string;
  spanId: string;
}

/** Sends spans to a collector. No call fails or waits: a span that cannot be sent is dropped and counted. */
export interface Traces {
  add(spans: readonly TraceSpan[]): void;
}
