import type { WorkEnd } from './member';
import type { MessageType } from './message';
import type { BoardRequest } from './request';
import type { ClaimSource, TaskNumber } from './task';
import type { WorkOrder } from './work-order';

/** What the journal tells of a board. */
export type BoardNote =
  | { event: 'created' | 'completed' | 'dropped' | 'held'; task: TaskNumber; by?: string }
  | { event: 'claimed'; task: TaskNumber; by: string; source: ClaimSource }
  /** The task goes back; an attempt is used. */
  | { event: 'returned'; task: TaskNumber; by: string; reason: string }
  | { event: 'refused'; by: string; request: BoardRequest['kind']; reason: string }
  | { event: 'spawned' | 'idle' | 'shutdown'; member: string; reason?: string }
  | { event: 'working'; member: string; work: number; begins: WorkOrder['begins'] }
  | { event: 'work-ended'; member: string; end: WorkEnd }
  | { event: 'failed'; member: string; reason: string }
  | { event: 'sent' | 'undelivered'; from: string; to: string; type: MessageType; reason?: string }
  | { event: 'request'; requestId: string; state: 'pending' | 'approved' | 'rejected' | 'expired'; from: string; to: string };
