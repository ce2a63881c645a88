import type { BoardAnswer, BoardRequest } from '../board/request';

/**
 * A decision within a call of a tool: the call waits until the run has decided. The try pauses with what it asks, the run decides in one
 * step that it remembers, and the same try goes on with the answer: the call is made again, and takes it from there.
 */
export interface DecisionRequest {
  /** The call's idempotency key: the same call made again asks the same. */
  id: string;
  agent: string;
  request: BoardRequest;
}

export interface DecisionAnswer extends BoardAnswer {
  id: string;
}
