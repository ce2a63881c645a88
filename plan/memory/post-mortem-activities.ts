import type { ArtifactRef } from '../run/artifact';
import type { RunEnd } from '../run/run-end';
import type { ErrorView } from '../run/status';

/** Inputs and results of a post-mortem's activities. */

export interface MineJournalInput {
  run: string;
  /** The pages, in order. */
  pages: { fromSeq: number; toSeq: number; sha256: string }[];
  /** Entries before the first of the pages, which are too many to be listed. */
  leftOut?: number;
  end: RunEnd;
}

export interface MinedJournal {
  /** A `MinedRun`. */
  artifact: ArtifactRef;
  /** Whether there was trouble. */
  notable: boolean;
  /** Agents that had work. */
  agents: string[];
}

/** The most pages of one call: more than a run of 100,000 steps has. */
export const MOST_PAGES = 6000;

export interface KeepLessonsInput {
  run: string;
  /** A `PostMortemReport`. */
  report: ArtifactRef;
}

export interface KeptLessons {
  /** The report, including the result for each file. */
  artifact: ArtifactRef;
  kept: KeptFile[];
}

export type KeptFile = {
  file: string;
  as: 'memory' | 'guidelines' | 'write';
  added?: number;
  confirmed?: number;
  /** Entries in it that cannot be read. */
  problems?: string[];
  /** Nothing was written. */
  error?: ErrorView;
};
