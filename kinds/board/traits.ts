import type { KindTraits } from '../../plan/steps/kind-traits';
import { BOARD_VIEW } from './view';

/** The board is kept for the next try and for a rerun, in which completed tasks stay completed, and afterwards, for people. */
export const BOARD_TRAITS = {
  opensGate: true,
  board: true,
  keeps: { try: true, round: true, run: true },
  resumes: true,
  retries: 'policy',
  view: BOARD_VIEW,
} as const satisfies KindTraits;
