import type { StepContext } from '../../workflows/interpreter/context/step-context';
import { TRACK_SIDES } from './rules/alignment';
import { announce, makePhase, stateOf, type Tracks } from './tracks';

/**
 * The tracks could not be aligned: track a continues to its end, then b follows what a has delivered, from the phase in which they were not aligned. Only the
 * integration of both is still checked. Returns whether both have ended.
 */
export async function followLinearly(tracks: Tracks, ctx: StepContext, k: number): Promise<boolean> {
  const { step } = tracks.place;
  const point = step.sync[k];
  const checks = ctx.once('linear', () => {
    const state = stateOf(tracks);
    delete state.over;
    state.linear = true;
    announce(tracks);
    return state.points[k]?.verdicts.length ?? 0;
  });
  for (const side of TRACK_SIDES) {
    const { phases } = step[side];
    const met = phases.indexOf(point?.after[side] ?? '');
    for (const [i, phase] of phases.entries()) {
      if (i < met || (i === met && side === 'a')) continue;
      const turn = ctx.once(`turn-${phase}`, () => turnOf(tracks, phase, { isMet: i === met, follows: i === met + 1, checks }));
      if (!(await makePhase(tracks, side, ctx, phase, turn, i === met ? 'adjusting' : 'running'))) return false;
    }
  }
  return true;
}

/** A turn that no try uses for anything else (`track.ts`, invariant 1). */
function turnOf(tracks: Tracks, phase: string, { isMet, follows, checks }: { isMet: boolean; follows: boolean; checks: number }): number {
  if (isMet) return (stateOf(tracks).phases[phase]?.turn ?? 0) + 1;
  return follows ? checks + 1 : 1;
}
