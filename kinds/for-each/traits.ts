import type { KindTraits } from '../../plan/steps/kind-traits';

export const FOR_EACH_TRAITS = {
  container: 'block',
  iterates: 'items',
  again: 'next item',
  blocks: 'loop',
  keeps: { try: true, round: true, run: true },
  retries: 'policy',
} as const satisfies KindTraits;
