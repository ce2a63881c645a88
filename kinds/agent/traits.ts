import type { KindTraits } from '../../plan/steps/kind-traits';

export const AGENT_TRAITS = {
  agents: true,
  reserves: true,
  ledger: 'output',
  keeps: { try: true, round: true, run: true },
  retries: 'respawn',
} as const satisfies KindTraits;
