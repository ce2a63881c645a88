import type { Ability, Play } from './play';
import type { OpenOptions, Stage } from './stage';

/** Opens a step whose agent is played, once for each rule. */
export type Open = (play: Play, options?: OpenOptions) => Promise<Stage>;

/** A rule that every adapter with these abilities must keep, under the real runner. */
export interface Rule {
  name: string;
  needs?: readonly Ability[];
  /** The rule uses very many workers, so `npm test` runs it for one adapter of each transport. */
  oncePerTransport?: true;
  check(open: Open, has: (ability: Ability) => boolean): Promise<void>;
}
