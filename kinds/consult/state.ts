import type { ArtifactRef } from '../../plan/run/artifact';
import type { Keeps } from '../../plan/steps/keeps';
import type { ConsultMove } from './rules/advise';
import type { AdviceView } from './view';

/** Whom a consultation asks, and after which answers. */
export interface ConsultPosition {
  /** Of its parts: each answer has another. */
  turn: number;
  move: ConsultMove;
  /** What has been asked and said so far. */
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

export const CONSULT_KEEPS: Keeps<ConsultKept, AdviceView> = { shown: ({ view }) => view };
