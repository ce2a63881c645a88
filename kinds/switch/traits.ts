import type { KindTraits } from '../../plan/steps/kind-traits';

export const SWITCH_TRAITS = { container: 'branches', blocks: 'cases', retries: 'policy' } as const satisfies KindTraits;
