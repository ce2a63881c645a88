import type { KindTraits } from '../../plan/steps/kind-traits';

export const PIPELINE_TRAITS = {
  child: true,
  opensGate: true,
  reserves: true,
  environment: true,
  keeps: { round: true },
  retries: 'respawn',
} as const satisfies KindTraits;
