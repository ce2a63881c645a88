import type { Form } from '../../plan/expressions/form';
import type { WhoDecides } from '../../plan/people/decision-policy';
import type { FrozenQuorum } from '../../plan/people/quorum';
import type { Action } from '../../plan/steps/action';
import type { StepBase } from '../../plan/steps/step-base';

/**
 * Agents and people vote on a proposal (docs/patterns.md, CP-4). `parts` are the steps it runs in turns, one turn for each round:
 * `<id>_<voter>` for each voter, `<id>_revise` to revise a proposal that has not passed, `<id>_default` to decide if all abstain.
 * `timeoutMs` is how long a vote stays open.
 */
export interface ConsensusOf<S> extends StepBase {
  kind: 'consensus';
  parts: S[];
  /** The subject of the vote. */
  matter: Form;
  voters: VoterSpec[];
  threshold: FrozenQuorum;
  /** Votes at most: each but the first is on a revised proposal. */
  rounds: number;
  timeoutMs: number;
  /** After the last round. */
  onFail: Action[];
  /** How people are asked; their parts have it too. */
  people?: Pick<WhoDecides, 'channel' | 'identity' | 'remindMs'>;
}

export interface VoterSpec {
  /** The name in the file, by which votes are counted. */
  name: string;
  /** The name of its part. */
  part: string;
  kind: 'agent' | 'person';
}

/** Its parts apart from those of the voters. */
export const REVISE_PART = 'revise';
export const DEFAULT_PART = 'default';

export const DEFAULT_ROUNDS = 2;
export const DEFAULT_VOTE_MS = 5 * 60_000;
