import type { KindTraits } from '../../plan/steps/kind-traits';

export const REVIEW_TRAITS = {
  agents: true,
  judges: true,
  opensGate: true,
  reserves: true,
  ledger: 'output',
  keeps: { try: true, round: true, run: true },
  retries: 'respawn',
} as const satisfies KindTraits;
