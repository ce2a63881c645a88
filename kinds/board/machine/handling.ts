import type { BoardState } from '../../../plan/board/board-state';
import type { BoardNote } from '../../../plan/board/note';
import type { BoardDecision } from './events';

/** One event on its way through the machine: the state that it changes, its moment, and what was decided so far. */
export interface Handling {
  state: BoardState;
  atMs: number;
  decisions: BoardDecision[];
  /** What is refused or cannot be delivered is in the notes alone, and does not come back. */
  isLastWord?: true;
}

export function note({ decisions }: Handling, it: BoardNote): void {
  decisions.push({ kind: 'note', note: it });
}
