import type { KindTraits } from '../../plan/steps/kind-traits';

/** Even if a person said no in `finally` before it. */
export const POST_MORTEM_TRAITS = {
  pattern: true,
  last: true,
  opensGate: true,
  retries: 'policy',
} as const satisfies KindTraits;
