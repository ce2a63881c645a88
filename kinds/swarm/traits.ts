import type { KindTraits } from '../../plan/steps/kind-traits';
import { SWARM_VIEW } from './view';

/** The position in its rounds is kept for the next try; the end afterwards, for people and for the caller. */
export const SWARM_TRAITS = {
  pattern: true,
  callable: 'swarm',
  oneAtATime: true,
  opensGate: true,
  keeps: { try: true, round: true, run: true },
  retries: 'policy',
  view: SWARM_VIEW,
} as const satisfies KindTraits;
