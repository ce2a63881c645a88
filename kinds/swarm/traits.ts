import type { KindTraits } from '../../plan/steps/kind-traits';

/** Where it is in its rounds is known for the next try; how it ended, afterwards, for people and for who called it. */
export const SWARM_TRAITS = {
  pattern: true,
  callable: 'swarm',
  oneAtATime: true,
  opensGate: true,
  keeps: { try: true, round: true, run: true },
  retries: 'policy',
} as const satisfies KindTraits;
