import type { KindTraits } from '../../plan/steps/kind-traits';

export const WAIT_TRAITS = { waits: true, silent: true, retries: 'respawn' } as const satisfies KindTraits;
