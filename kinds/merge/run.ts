import { defined } from '../../plan/defined';
import { render } from '../../plan/expressions/evaluate';
import type { TicketOutcome } from '../../plan/queue/ticket';
import type { Json } from '../../plan/text/json';
import { composeOutput } from '../../workflows/interpreter/containers/compose';
import { deadlineOf } from '../../workflows/interpreter/containers/run-block';
import type { ReturnedCause } from '../../workflows/interpreter/context/attempt-log';
import { failureOfEntry } from '../../workflows/interpreter/context/scope-log';
import type { Branches, StepContext } from '../../workflows/interpreter/context/step-context';
import type { Interpreter, Perform } from '../../workflows/interpreter/interpreter';
import { landCandidate } from '../../workflows/interpreter/merging/land-candidate';
import { offeredByAll } from '../../workflows/interpreter/merging/offered-commits';
import { describeFault, faultOf } from '../../workflows/interpreter/merging/outcomes';
import type { PlaceOf } from '../../workflows/interpreter/scheduling/place';
import { stepIdAt } from '../../workflows/interpreter/scheduling/place';
import { openKindState } from '../../workflows/interpreter/state/kind-state';
import type { StepRecord } from '../../workflows/interpreter/state/step-record';
import { controlScope } from '../../workflows/interpreter/steps/expression-scope';
import { closeWorktreesOf } from '../../workflows/interpreter/worktrees/close-worktrees';
import type { MergeKept } from './state';

/**
 * Lands other steps' commits in their worktrees. Each of them is a candidate with a ticket of its own, all are submitted at once, and the
 * step waits for every outcome.
 *
 * Invariants: 1. a landed commit is not offered again, in any round or try; 2. returned candidates go to their authors only when all
 * outcomes are known, so a round of work is one round of merging.
 */
export const performMerge: Perform<'merge'> = async (it, place, record, ctx) => {
  const { run } = it;
  const { step } = place;
  const { into, offers } = ctx.once('offers', () => ({
    into: render(step.into, controlScope(run, place.frame)),
    offers: offeredByAll(run, place, step.from).filter(([path, { commit }]) => !hasLanded(record, path, commit)),
  }));
  const dueMs = deadlineOf(it, step, ctx);
  it.rest(place);
  const { ended, failed } = await ctx.all('land', branchesOf(it, place, into, offers, dueMs));
  it.resume(place);
  const faults = ctx.once('outcomes', () => noteOutcomes(record, offers, ended));
  const [failure] = Object.values(failed);
  if (failure) throw failureOfEntry(failure);
  if (faults.length > 0) {
    const reason = faults.map(({ path, fault }) => `${path}: ${describeFault(fault)}`).join('; ');
    return { cause: { kind: 'returned', into, faults, reason: `${into} takes no candidate of ${run.name(place.path)}: ${reason}` } };
  }
  if (step.cleanup) await ctx.through('cleanup', () => closeWorktreesOf(it, landedSlots(record)));
  await composeOutput(it, place, { kind: 'value', value: outputOf(record) });
  return undefined;
};

type Offered = ReturnType<typeof offeredByAll>;

function branchesOf(it: Interpreter, place: PlaceOf<'merge'>, into: string, offers: Offered, dueMs: number | undefined): Branches {
  const { plan, steps } = it.run;
  const { test, strategy } = place.step;
  return Object.fromEntries(
    offers.map(([path, from]) => {
      const author = steps.get(stepIdAt(path))?.step;
      const offer = {
        ...{ from, into, title: `${plan.name}: ${path}`, author: author && 'agent' in author ? author.agent : stepIdAt(path) },
        ...defined({ test, strategy }),
      };
      return [path, (ctx: StepContext) => landCandidate(it, place, ctx, path, offer, dueMs)];
    }),
  );
}

function hasLanded(record: StepRecord, path: string, commit: string): boolean {
  return openKindState(record, 'merge').landed?.some((one) => one.step === path && one.commit === commit) ?? false;
}

/** Fails with a problem that no author can fix, once all landed candidates are noted. */
function noteOutcomes(record: StepRecord, offers: Offered, ended: Readonly<Record<string, unknown>>): ReturnedCause['faults'] {
  const kept = openKindState(record, 'merge');
  const outcomes = offers.flatMap(([path, { slot, commit }]) => {
    // The result of a branch of `all`, as `landCandidate` returns it.
    const outcome = ended[path] as TicketOutcome | undefined;
    return outcome ? [{ path, slot, commit, outcome }] : [];
  });
  for (const { path: step, slot, commit, outcome } of outcomes) {
    if (outcome.kind !== 'merged') continue;
    const { result, already, order } = outcome;
    kept.landed = [...(kept.landed ?? []), { step, slot, commit, result, ...defined({ already, order }) }];
  }
  const faults = outcomes.flatMap(({ path, outcome }) => {
    const fault = faultOf(outcome, path);
    return fault ? [{ path, fault }] : [];
  });
  const back = faults.map(({ path, fault }) => ({ step: path, kind: fault.kind, reason: describeFault(fault) }));
  if (back.length > 0) kept.returned = [...(kept.returned ?? []), ...back];
  return faults;
}

function landedSlots(record: StepRecord): string[] {
  return (openKindState(record, 'merge').landed ?? []).map(({ slot }) => slot);
}

function outputOf(record: StepRecord): Json {
  const { landed = [], returned = [] } = openKindState(record, 'merge');
  const merged = landed.map(({ slot: _slot, order: _order, already, ...one }) => ({ ...one, already: already ?? false }));
  return { merged, returned: returned.map((one) => ({ ...one })), head: headOf(landed) };
}

/** The result that landed last, and so contains all others. One without an order is what the target had before, or an older queue's. */
function headOf(landed: NonNullable<MergeKept['landed']>): string | null {
  let last: (typeof landed)[number] | undefined;
  for (const one of landed) if (!last || (one.order ?? -1) >= (last.order ?? -1)) last = one;
  return last?.result ?? null;
}
