import type { KindTraits } from '../../plan/steps/kind-traits';

/** Where it is on its way up is known for the next try; how it ended, afterwards, for people and for who called it. */
export const ESCALATE_TRAITS = {
  pattern: true,
  callable: 'escalate',
  opensGate: true,
  keeps: { try: true, round: true, run: true },
  retries: 'policy',
} as const satisfies KindTraits;
