import type { StepBase } from '../../plan/steps/step-base';
import type { LessonFiles, Occasion } from './rules/spec';

/**
 * A run's report on itself once it is over (docs/patterns.md, CP-10): always the last step of `finally`. `parts` are `<id>_<agent>`, one
 * for each asked agent. `timeoutMs` is how long their answers are awaited.
 */
export interface PostMortemOf<S> extends StepBase {
  kind: 'post_mortem';
  parts: S[];
  occasion: Occasion;
  /** Who is asked, by agent and by part. */
  asked: { agent: string; part: string }[];
  /** The file names nobody: the agents that had work in the run are asked. */
  takers?: true;
  timeoutMs: number;
  files: LessonFiles;
}

/** Its id, which no other step of the file has. */
export const POST_MORTEM_ID = 'post_mortem';
