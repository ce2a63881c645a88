import type { Usage } from '../plan/budgets/usage';

/** Counts what a worker does, for monitoring. Nothing here fails. */
export interface Metrics {
  /** A reply that was paid for. */
  replied(reply: { pipeline: string; agent: string; model?: string; usage: Usage }): void;
  called(call: { pipeline: string; agent: string; tool: string; refused: boolean }): void;
  /** A call of the activity `agent` has ended: `done` (or paused), or a failure's code. */
  tried(end: { pipeline: string; agent: string; outcome: string }): void;
  /** The first try of an activity begins, so long after it was given out. */
  waited(call: { activity: string; ms: number }): void;
  /** Spans of traces that the collector has taken, or that were given up. */
  traced(sent: { spans: number; outcome: 'sent' | 'dropped' }): void;
}
