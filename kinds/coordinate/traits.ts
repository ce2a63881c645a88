import type { KindTraits } from '../../plan/steps/kind-traits';
import { UNROUTED_VIEW } from './view';

export const COORDINATE_TRAITS = {
  container: 'block',
  blocks: 'group',
  pattern: true,
  keeps: { try: true, round: true },
  retries: 'policy',
  view: UNROUTED_VIEW,
} as const satisfies KindTraits;
