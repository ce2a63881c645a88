import type { KindTraits } from '../../plan/steps/kind-traits';
import { TRACKS_VIEW } from './view';

/** The state of the tracks is kept, for people, and the used-up checks, for a further try. */
export const TRACKS_TRAITS = {
  pattern: true,
  opensGate: true,
  keeps: { try: true, round: true, run: true },
  retries: 'policy',
  view: TRACKS_VIEW,
} as const satisfies KindTraits;
