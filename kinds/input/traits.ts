import type { KindTraits } from '../../plan/steps/kind-traits';

export const INPUT_TRAITS = { gate: 'input', opensGate: true, retries: 'respawn' } as const satisfies KindTraits;
