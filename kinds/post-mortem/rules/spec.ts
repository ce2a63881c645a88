/** A file's `post_mortem` key. */

/** `notable`: agents are asked only if there was trouble. `asked`: it runs only if a person asks for it. */
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
/** How many agents one post-mortem asks. */
export const MOST_ASKED = 16;
