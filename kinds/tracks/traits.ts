import type { KindTraits } from '../../plan/steps/kind-traits';

/** Kept: how the tracks stand, for people; which checks are used up, for a further try. */
export const TRACKS_TRAITS = {
  pattern: true,
  opensGate: true,
  keeps: { try: true, round: true, run: true },
  retries: 'policy',
} as const satisfies KindTraits;
