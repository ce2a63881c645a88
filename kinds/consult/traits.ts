import type { KindTraits } from '../../plan/steps/kind-traits';
import { ADVICE_VIEW } from './view';

/** The current adviser is kept for the next try; the end afterwards, for people. */
export const CONSULT_TRAITS = {
  pattern: true,
  binds: true,
  opensGate: true,
  keeps: { try: true, round: true, run: true },
  retries: 'policy',
  view: ADVICE_VIEW,
} as const satisfies KindTraits;
