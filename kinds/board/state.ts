import type { TaskOutcome } from '../../plan/board/asked-task';
import type { BoardState } from '../../plan/board/board-state';
import type { BoardMessage, MessageToPerson, MessageType } from '../../plan/board/message';
import type { TaskNumber } from '../../plan/board/task';
import type { BudgetSpec, BudgetWord } from '../../plan/budgets/budget';
import { defined, unlessEmpty } from '../../plan/defined';
import type { Letter } from '../../plan/people/letter';
import type { AskedBy } from '../../plan/queue/ticket';
import type { ArtifactRef } from '../../plan/run/artifact';
import type { Keeps, KeptCommit } from '../../plan/steps/keeps';
import type { Json } from '../../plan/text/json';
import { type BoardView, boardView } from './view';

/** A task that was tried too often, or a plan that has no lead to answer it. */
export type PersonQuestion = { kind: 'task'; task: TaskNumber } | { kind: 'plan'; requestId: string; message: BoardMessage };

export interface RefusedMessage {
  from: string;
  to: string;
  type: MessageType;
  at: string;
  reason: string;
}

export const REFUSED_KEPT = 100;
/** Messages to people. */
export const TO_PEOPLE_KEPT = 100;

/** A task on its way into the merge queue: which of its offers that is, and which landing slot has taken it. */
export interface Landing {
  task: TaskNumber;
  offers: number;
  commit: string;
  slot?: number;
}

export interface BoardKept {
  board?: BoardState;
  /** A try has begun and not taken the board up yet: how it ended before says nothing any more. */
  isOpening?: true;
  /** The conversation of each member so far, by its heads. */
  contexts?: Record<string, ArtifactRef[]>;
  /** What people have allowed for budgets of tasks. */
  permitted?: Pick<BudgetSpec, BudgetWord>;
  /** Completed tasks that are to land, in this order. */
  landings?: Landing[];
  /** What was left in worktrees of tasks that have not ended, by the task's number. */
  worktrees?: Record<TaskNumber, KeptCommit>;
  /** Completed tasks that have left the board, as the output shows them, until they fill a page. */
  left?: Json[];
  /** The last page of those before them, which names the one before it, and how many there are. */
  pages?: { last: ArtifactRef; count: number };
  /** The last messages that reached nobody. */
  refused?: RefusedMessage[];
  /** The last messages to people: to a lead who is one, and refusals to shut down. */
  toPeople?: MessageToPerson[];
  /** Questions to people that have no answer, and how many were asked. One without a number is to be asked. */
  asks?: { open: { about: PersonQuestion; number?: number }[]; asked: number };
  /** Where runs may have asked for tasks, and what has come of tasks, until the ledgers of those who asked have it. */
  askers?: { look: AskedBy[]; tell: { asked: AskedBy; outcome: TaskOutcome }[] };
}

export const BOARD_KEEPS: Keeps<BoardKept, BoardView> = {
  shown: (kept, _step, isAtWork) => {
    if (!kept.board) return undefined;
    const board = kept.isOpening ? begun(kept.board) : kept.board;
    return { ...boardView(isAtWork ? board : interrupted(board)), ...defined({ toPeople: unlessEmpty(lettersIn(kept)) }) };
  },
  // Members' parts are numbered by WORKs, people's by questions.
  lastTurn: ({ board, asks }) => board && Math.max(board.works, asks?.asked ?? 0),
  letters: lettersIn,
  commits: ({ worktrees = {} }) => Object.values(worktrees),
};

/** Messages to people in the view of a step; the query `boards` has the others. */
const SHOWN_TO_PEOPLE = 10;

/** A person who writes to a member has answered what that member has written before. */
function lettersIn({ toPeople = [] }: BoardKept): Letter[] {
  return toPeople
    .filter(({ answered }) => !answered)
    .slice(-SHOWN_TO_PEOPLE)
    .map(({ from, to, content, at, whole }) => ({ from, to, content, at, ...defined({ isCut: whole && (true as const) }) }));
}

function begun({ over: _over, isDraining: _isDraining, ...state }: BoardState): BoardState {
  return state;
}

/** The step has ended without the team, by a timeout or a cancellation: nobody works any more, whatever was in progress. */
function interrupted(state: BoardState): BoardState {
  if (state.over !== undefined) return state;
  const members = state.members.map((member) => (member.status === 'failed' ? member : { ...member, status: 'shutdown' as const }));
  return { ...state, over: 'stopped', members };
}
