import type { KindTraits } from '../../plan/steps/kind-traits';

export const COORDINATE_TRAITS = { container: 'block', blocks: 'group', pattern: true, retries: 'policy' } as const satisfies KindTraits;
