import type { KindTraits } from '../../plan/kind-traits';

export const NOTIFY_TRAITS = { ledger: 'effect', retries: 'respawn' } as const satisfies KindTraits;
