import type { KindTraits } from '../../plan/steps/kind-traits';

export const COORDINATE_TRAITS = {
  container: 'block',
  blocks: 'group',
  pattern: true,
  keeps: { try: true, round: true },
  retries: 'policy',
} as const satisfies KindTraits;
