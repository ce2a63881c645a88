import type { KindTraits } from '../../plan/steps/kind-traits';

/** Where it is in its rounds is known for the next try; how the votes stand, afterwards, for people. */
export const CONSENSUS_TRAITS = {
  pattern: true,
  binds: true,
  votes: true,
  opensGate: true,
  keeps: { try: true, round: true, run: true },
  retries: 'policy',
} as const satisfies KindTraits;
