import type { KindTraits } from '../../plan/steps/kind-traits';
import { ESCALATION_VIEW } from './view';

/** The current level is kept for the next try; the end afterwards, for people and for the caller. */
export const ESCALATE_TRAITS = {
  pattern: true,
  callable: 'target',
  opensGate: true,
  keeps: { try: true, round: true, run: true },
  retries: 'policy',
  view: ESCALATION_VIEW,
} as const satisfies KindTraits;
