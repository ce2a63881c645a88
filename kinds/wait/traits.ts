import type { KindTraits } from '../../plan/kind-traits';

export const WAIT_TRAITS = { waits: true, silent: true, retries: 'respawn' } as const satisfies KindTraits;
