import type { KindTraits } from '../../plan/steps/kind-traits';

/** It runs even if a person refused in `finally` before it. */
export const POST_MORTEM_TRAITS = {
  pattern: true,
  last: true,
  opensGate: true,
  retries: 'policy',
} as const satisfies KindTraits;
