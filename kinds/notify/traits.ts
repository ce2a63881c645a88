import type { KindTraits } from '../../plan/kind-traits';

export const NOTIFY_TRAITS = { chains: true, ledger: 'effect', silent: true, retries: 'respawn' } as const satisfies KindTraits;
