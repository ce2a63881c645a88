import type { KindTraits } from '../../plan/kind-traits';

export const SWITCH_TRAITS = { container: 'branches', blocks: 'cases', retries: 'policy' } as const satisfies KindTraits;
