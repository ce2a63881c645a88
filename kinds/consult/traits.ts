import type { KindTraits } from '../../plan/steps/kind-traits';

/** Who is asked is known for the next try; how it ended, afterwards, for people. */
export const CONSULT_TRAITS = {
  pattern: true,
  binds: true,
  opensGate: true,
  keeps: { try: true, round: true, run: true },
  retries: 'policy',
} as const satisfies KindTraits;
