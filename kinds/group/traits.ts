import type { KindTraits } from '../../plan/steps/kind-traits';

export const GROUP_TRAITS = { container: 'block', blocks: 'group', retries: 'policy' } as const satisfies KindTraits;
