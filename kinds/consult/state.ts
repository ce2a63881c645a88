import type { ArtifactRef } from '../../plan/run/artifact';
import type { ConsultMove } from './rules/advise';

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
