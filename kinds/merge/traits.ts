import type { KindTraits } from '../../plan/steps/kind-traits';

export const MERGE_TRAITS = { keeps: { try: true }, retries: 'policy' } as const satisfies KindTraits;
