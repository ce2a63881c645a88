import type { KindTraits } from '../../plan/steps/kind-traits';

export const NOTIFY_TRAITS = { chains: true, ledger: 'effect', silent: true, retries: 'respawn' } as const satisfies KindTraits;
