import type { KindTraits } from '../../plan/steps/kind-traits';

export const STAGES_TRAITS = {
  chains: true,
  opensGate: true,
  asksWithin: true,
  prints: true,
  environment: true,
  ledger: 'output',
  retries: 'respawn',
} as const satisfies KindTraits;
