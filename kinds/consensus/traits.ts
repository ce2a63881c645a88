import type { KindTraits } from '../../plan/steps/kind-traits';
import { VOTE_VIEW } from './view';

/** The position in its rounds is kept for the next try; the state of the votes afterwards, for people. */
export const CONSENSUS_TRAITS = {
  pattern: true,
  binds: true,
  votes: true,
  opensGate: true,
  keeps: { try: true, round: true, run: true },
  retries: 'policy',
  view: VOTE_VIEW,
} as const satisfies KindTraits;
