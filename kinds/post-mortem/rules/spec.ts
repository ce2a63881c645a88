/** What a file says of its post-mortem. */

/** `notable`: agents are asked only where there was trouble. `asked`: there is one only if a person asks for it. */
export const OCCASIONS = ['always', 'notable', 'asked'] as const;
export type Occasion = (typeof OCCASIONS)[number];

/** Paths that count from the worker's folder. */
export interface LessonFiles {
  /** The report, as JSON. */
  write?: string;
  /** Patterns and preventions, as Markdown. */
  memory?: string;
  /** Improvements, as Markdown. */
  guidelines?: string;
}

export const RETROSPECTIVE_MS = 3 * 60_000;
/** Agents that one post-mortem asks. */
export const MOST_ASKED = 16;
