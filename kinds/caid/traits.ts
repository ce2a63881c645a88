import type { KindTraits } from '../../plan/steps/kind-traits';

/** Who has what is known for the next try and for a rerun, where what is merged stays merged, and afterwards, for people. */
export const CAID_TRAITS = {
  opensGate: true,
  keeps: { try: true, round: true, run: true },
  restsOn: 'manager',
  retries: 'policy',
} as const satisfies KindTraits;
