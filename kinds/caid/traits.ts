import type { KindTraits } from '../../plan/steps/kind-traits';
import { TEAM_VIEW } from './view';

/** The state of the tasks is kept for the next try and for a rerun, in which merged work stays merged, and afterwards, for people. */
export const CAID_TRAITS = {
  opensGate: true,
  keeps: { try: true, round: true, run: true },
  restsOn: 'manager',
  retries: 'policy',
  view: TEAM_VIEW,
} as const satisfies KindTraits;
