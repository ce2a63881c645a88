import type { KindTraits } from '../../plan/kind-traits';

export const AGENT_TRAITS = { agents: true, reserves: true, ledger: 'output', retries: 'respawn' } as const satisfies KindTraits;
