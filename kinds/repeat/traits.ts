import type { KindTraits } from '../../plan/steps/kind-traits';

export const REPEAT_TRAITS = {
  container: 'block',
  iterates: 'rounds',
  again: 'next round',
  blocks: 'rounds',
  keeps: { try: true, round: true, run: true },
  retries: 'policy',
} as const satisfies KindTraits;
