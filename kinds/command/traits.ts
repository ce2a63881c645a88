import type { KindTraits } from '../../plan/steps/kind-traits';

export const COMMAND_TRAITS = {
  chains: true,
  prints: true,
  environment: true,
  ledger: 'output',
  retries: 'respawn',
} as const satisfies KindTraits;
