import type { KindTraits } from '../../plan/steps/kind-traits';
import { SWARM_VIEW } from './view';

/** The position in its rounds is kept for the next try; the end afterwards, for people and for the caller. */
export const SWARM_TRAITS = {
  pattern: true,
  callable: {
    written: ['swarm(mob)', '{ swarm: mob }'],
    meaning:
      'a [`swarm`](#swarm) step is called, and runs only then: all its agents diagnose the failure, and the failed step runs again once the cause is fixed',
  },
  oneAtATime: true,
  opensGate: true,
  keeps: { try: true, round: true, run: true },
  retries: 'policy',
  view: SWARM_VIEW,
} as const satisfies KindTraits;
