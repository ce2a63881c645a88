import type { ArtifactRef } from '../../plan/run/artifact';
import type { Keeps } from '../../plan/steps/keeps';
import type { ConsultMove } from './rules/advise';
import type { AdviceView } from './view';

/** The current adviser, and the answers so far. */
export interface ConsultPosition {
  /** The turn of its parts. Every answer has a different turn. */
  turn: number;
  move: ConsultMove;
  /** Questions and answers so far. */
  record: ArtifactRef;
  /** In brief. */
  question: string;
  options: string[];
}

export interface ConsultKept {
  /** The last turn that was begun. */
  turn?: number;
  /** The question in progress: a further try continues there. */
  next?: ConsultPosition;
  view?: AdviceView;
}

export const CONSULT_KEEPS: Keeps<ConsultKept, AdviceView> = { lastTurn: ({ turn }) => turn, shown: ({ view }) => view };
