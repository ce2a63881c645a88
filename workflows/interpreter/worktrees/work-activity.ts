import { defined } from '../../../plan/defined';
import type { ActivityName } from '../../../plan/run/contract';
import { ThermidorFailure } from '../../../plan/run/failure';
import { isWorktreeSaved, type WorktreeLease } from '../../../plan/run/worktree';
import { isJsonObject } from '../../../plan/text/json';
import { type ActivityArgument, type ActivityOptions, type ActivityResult, NotStarted } from '../../run-context';
import type { Interpreter } from '../interpreter';
import { type Place, placeLabel } from '../scheduling/place';
import { noteOutput } from '../state/step-record';
import { noteChanged } from './changed-unattended';
import { claim } from './claim';
import { type Call, MORE_PATIENCE, MOST_PATIENCE } from './folder-activity';
import { slotOf, type WorktreeSlot } from './slot-of';

/**
 * A step's work, on the host that has its worktree. Any other activity starts unchanged.
 *
 * Invariants: 1. work goes only to the host of the lease in state; 2. the result of a try, good or bad, is in the lease before the step
 * continues; 3. a host that does not take up work is checked before it loses the worktree: it may be busy.
 */
export function workActivity<N extends ActivityName>(
  it: Interpreter,
  place: Place,
  name: N,
  input: ActivityArgument<N>,
  options: ActivityOptions,
): Promise<ActivityResult<N>> {
  const slot = isWork(name, input) ? slotOf(it.run, place) : undefined;
  return slot ? inWorktree(it, place, slot, { name, input, options }) : it.run.activity(place, name, input, options);
}

/** An agent that decides about a step does not work in its worktree. */
function isWork(name: ActivityName, input: object): boolean {
  return (name === 'command' || name === 'agent' || name === 'restoreWorktree') && !('escalation' in input);
}

async function inWorktree<N extends ActivityName>(
  it: Interpreter,
  place: Place,
  at: WorktreeSlot,
  { name, input, options: { queue: _any, ...options } }: Call<N>,
): Promise<ActivityResult<N>> {
  const { run, worktrees } = it;
  if (!at.isShared) await takeTurn(it, at, place);
  try {
    let lease = await claim(it, place, at, options);
    const first = lease.epoch;
    const known = run.state.worktrees?.[at.slot];
    if (known?.isClosed) delete known.isClosed;
    let patience = 1;
    for (;;) {
      const { slot, epoch, commit, host, silentMs } = lease;
      noteOutput(run.record(place.path), { worktree: { slot, commit } });
      // What a merge sends back to a step is brought on top of the branch in the first of its parts.
      const { onto } = { ...run.state.records[at.owner]?.brief, ...run.record(place.path).brief };
      const use = { slot, epoch, commit, ...defined({ onto }) };
      const timeouts = { host, heartbeatMs: silentMs, scheduleToStartMs: silentMs * patience };
      try {
        const output = await run.activity(place, name, { ...input, worktree: use }, { ...options, ...timeouts });
        noteSaved(it, place, lease, output, 'done');
        return output;
      } catch (error) {
        if (error instanceof ThermidorFailure) noteSaved(it, place, lease, error.work);
        if (!isAway(error)) throw error;
        run.drainIfDue();
        const next = await claim(it, place, at, options, { lease, first });
        patience = next.epoch === epoch ? Math.min(patience * MORE_PATIENCE, MOST_PATIENCE) : 1;
        lease = next;
      }
    }
  } finally {
    run.exempt.delete(placeLabel(place));
    if (!at.isShared) worktrees.give(at.slot);
  }
}

/**
 * A holder of a worktree continues, because the step with the exclusive turn may be waiting for it; a step that is held up does not take
 * one.
 */
async function takeTurn({ run, worktrees }: Interpreter, { slot }: WorktreeSlot, place: Place): Promise<void> {
  for (;;) {
    if (run.isHeldUp(place)) await run.admission(place);
    await worktrees.take(slot, place);
    if (!run.isHeldUp(place)) break;
    worktrees.give(slot);
  }
  run.exempt.add(placeLabel(place));
}

/** Its host has not taken it up, or has found that the worktree is another's. */
function isAway(error: unknown): boolean {
  return error instanceof NotStarted || (error instanceof ThermidorFailure && error.code === 'worktree.lost');
}

/** The late result of an earlier epoch is no part of the worktree, which began again from what was pushed. */
function noteSaved({ run, changed }: Interpreter, place: Place, lease: WorktreeLease, said: unknown, how?: 'done'): void {
  const saved = isJsonObject(said) ? said['worktree'] : undefined;
  if (!isWorktreeSaved(saved)) return;
  const known = run.state.worktrees?.[lease.slot];
  const held = known?.lease;
  if (!held || held.epoch !== saved.epoch) return;
  const { [place.step.id]: _before, ...left } = known.left ?? {};
  known.left = how ? { ...left, [place.step.id]: saved.commit } : left;
  held.commit = saved.commit;
  noteChanged(run, held, saved.unattended);
  noteOutput(run.record(place.path), { worktree: { slot: held.slot, commit: saved.commit } });
  changed();
}
