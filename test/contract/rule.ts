import type { Ability, Play } from './play';
import type { OpenOptions, Stage } from './stage';

/** Opens a step whose agent is played; once a rule. */
export type Open = (play: Play, options?: OpenOptions) => Promise<Stage>;

/** What every adapter with the abilities must keep to, under the one runner. */
export interface Rule {
  name: string;
  needs?: readonly Ability[];
  /** It goes through very many workers: `npm test` has it for one adapter of each transport. */
  oncePerTransport?: true;
  check(open: Open, has: (ability: Ability) => boolean): Promise<void>;
}
