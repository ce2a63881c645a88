import type { KindTraits } from '../../plan/steps/kind-traits';

/** The state of the tracks is kept, for people, and the used-up checks, for a further try. */
export const TRACKS_TRAITS = {
  pattern: true,
  opensGate: true,
  keeps: { try: true, round: true, run: true },
  retries: 'policy',
} as const satisfies KindTraits;
