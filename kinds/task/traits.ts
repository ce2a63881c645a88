import type { KindTraits } from '../../plan/steps/kind-traits';

export const TASK_TRAITS = { retries: 'policy' } as const satisfies KindTraits;
