import type { Admission, AdvancedTarget, MergedCandidates, Tested } from '../../plan/queue/queue-activities';
import type { QueueSettings } from '../../plan/queue/queue-settings';
import type { AskedBy, QueuePause } from '../../plan/queue/ticket';

/** The events of a queue. */
export type QueueEvent =
  | { kind: 'started' }
  | { kind: 'asked'; asked: AskedBy }
  | { kind: 'admitted'; ticket: number; admission: Admission }
  /** `pause`: what the queue's ledger has. */
  | { kind: 'settings'; settings: QueueSettings; pause?: QueuePause }
  | { kind: 'merged'; attempt: number; answer: MergedCandidates }
  | { kind: 'tested'; attempt: number; answer: Tested }
  | { kind: 'advanced'; attempt: number; answer: AdvancedTarget; atMs?: number }
  /** An attempt's work failed. `isFault`: of the repository or the candidate, and again it would fail the same. */
  | { kind: 'broken'; attempt: number; code: string; message: string; isFault: boolean }
  /** An attempt's test has ended without an answer. */
  | { kind: 'left'; attempt: number }
  | { kind: 'concluded'; tickets: number[]; left?: readonly number[]; at: string }
  | { kind: 'paused'; atMs: number; by?: string; reason?: string }
  | { kind: 'resumed'; atMs: number }
  | { kind: 'dropped'; ticket: number; by?: string };

/** The actions that follow. */
export type QueueEffect =
  | { kind: 'admit'; ticket: number }
  | { kind: 'settings' }
  | { kind: 'merge'; attempt: number }
  | { kind: 'test'; attempt: number }
  | { kind: 'advance'; attempt: number }
  /** Its work is cancelled; a late answer is ignored. */
  | { kind: 'cancel'; attempt: number }
  /** Concludes tickets in `ending` with these numbers, and `left` tests; commits of finished attempts are no longer kept. */
  | { kind: 'conclude'; tickets: number[]; commits: string[] };
