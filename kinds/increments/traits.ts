import type { KindTraits } from '../../plan/steps/kind-traits';
import { DELIVERY_VIEW } from './view';

/** Delivered work is kept for the next try, in a further round and in a rerun: its commits are in the worktree. */
export const INCREMENTS_TRAITS = {
  pattern: true,
  delivers: true,
  opensGate: true,
  keeps: { try: true, round: true, next: true, run: true },
  resumes: true,
  retries: 'policy',
  view: DELIVERY_VIEW,
} as const satisfies KindTraits;
