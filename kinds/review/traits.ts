import type { KindTraits } from '../../plan/kind-traits';

export const REVIEW_TRAITS = {
  agents: true,
  judges: true,
  opensGate: true,
  reserves: true,
  ledger: 'output',
  retries: 'respawn',
} as const satisfies KindTraits;
