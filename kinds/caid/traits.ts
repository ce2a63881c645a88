import type { KindTraits } from '../../plan/steps/kind-traits';

/** Who has what is known for the next try: what is merged stays merged. */
export const CAID_TRAITS = {
  opensGate: true,
  keeps: { try: true },
  retries: 'policy',
} as const satisfies KindTraits;
