import type { KindTraits } from '../../plan/steps/kind-traits';
import { BRIEF_VIEW } from './view';

/** What was replied is kept for the next try and for a rerun, which begins at the turn that it names. */
export const BRIEF_TRAITS = {
  opensGate: true,
  roleTeam: true,
  keeps: { try: true, round: true, run: true },
  resumes: true,
  sharesFolder: true,
  retries: 'policy',
  view: BRIEF_VIEW,
} as const satisfies KindTraits;
