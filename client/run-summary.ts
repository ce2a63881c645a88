import type { RunMemo } from '../plan/run/run-memo';
import type { RunState } from '../plan/run/status';

/** One run in a list: from visibility and memo alone, without asking a worker. */
export interface RunSummary {
  run: string;
  runId: string;
  pipeline: string;
  state: RunState;
  owner?: string;
  /** For a child pipeline: its parent's run, whose own gates are the child's too. */
  parent?: string;
  /** The start of its first execution. */
  startedAt: string;
  endedAt?: string;
  gates: RunMemo['gates'];
  /** It was exported by another installation: it can be looked at, and nothing else. */
  imported?: true;
  letters?: NonNullable<RunMemo['letters']>;
}
