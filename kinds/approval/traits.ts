import type { KindTraits } from '../../plan/steps/kind-traits';

export const APPROVAL_TRAITS = { gate: 'approval', opensGate: true, silent: true, retries: 'respawn' } as const satisfies KindTraits;
