import type { KindTraits } from '../../plan/steps/kind-traits';

export const PARALLEL_TRAITS = {
  container: 'branches',
  joins: true,
  blocks: 'branches',
  keeps: { round: true, run: true },
  retries: 'policy',
} as const satisfies KindTraits;
