import { isGate } from '../../../kinds/questions';
import { isWithin } from '../../../plan/steps/address';
import type { WorkEnd } from '../context/attempt-log';
import type { StepContext } from '../context/step-context';
import type { Interpreter } from '../interpreter';
import { placeFinder } from '../rerun/carry-state';
import { coverFinder } from '../rerun/decision-cover';
import type { Run } from '../run';
import type { Place } from '../scheduling/place';
import type { StepRecord } from '../state/step-record';
import { APPROVALS_CHANNEL } from '../steps/activity-timeouts';
import { approversAbove } from './approvers-above';
import { gateSpecOfPolicy } from './category-policy';
import type { GateSpec } from './gate-spec';

/**
 * An operator has replaced a step's inputs. If people approved the earlier ones, each gate that covers the step asks them again, at the
 * step and under its own policy. An action of a category does not need this: it asks for exactly what it is about to do.
 */

/** Paths of the gates whose decisions cover a step. */
export function gatesCovering(run: Run, path: string): string[] {
  const find = placeFinder(run);
  const coverOf = coverFinder((place) => run.state.records[place.path]?.asked?.passed !== undefined);
  return Object.entries(run.state.records).flatMap(([gate, { asked }]) => {
    const place = asked?.passed && gate !== path ? find(gate) : undefined;
    const levels = place ? coverOf(place).levels : [];
    return levels.some(({ places }) => places.some((behind) => behind.path === path || isWithin(path, behind.path))) ? [gate] : [];
  });
}

/** A person's refusal: the run ends as rejected. Undefined if all agree. */
export async function approvalByInputs(
  it: Interpreter,
  place: Place,
  ctx: StepContext,
  asks: readonly string[],
): Promise<WorkEnd | undefined> {
  const find = placeFinder(it.run);
  const record = it.run.record(place.path);
  for (const gate of asks) {
    const decision = await ctx.gate(`inputs-${gate}`, specAt(it, find(gate), record, statementOf(it, place, gate, record)));
    if (decision.choice === 'reject') return { cause: { kind: 'rejected', decision } };
  }
  ctx.once('inputs', () => {
    if (record.brief?.replaced) record.brief.replaced.asks = [];
  });
  return undefined;
}

function statementOf(it: Interpreter, { path }: Place, gate: string, { brief }: StepRecord): string {
  const { by: who = 'An operator', inputs: given = null } = brief?.replaced ?? {};
  const what = `${who} wants step ${it.run.name(path)} to go on with other inputs than were approved at ${it.run.name(gate)}`;
  return `${what}: ${JSON.stringify(given, null, 2)}`;
}

/** The gate's own policy, without its timeout: silence does not approve what nobody has seen before. */
function specAt(it: Interpreter, gate: Place | undefined, { brief }: StepRecord, statement: string): GateSpec {
  const { by } = brief?.replaced ?? {};
  const own = gate && isGate(gate.step) ? gate.step : undefined;
  const { timeoutMs: _over, onTimeout: _done, ...policy }: Partial<GateSpec> = own ? gateSpecOfPolicy(it, own) : {};
  const notBy = policy.notBy && by !== undefined ? { notBy: [...new Set([...policy.notBy, by])] } : {};
  return {
    kind: 'approval',
    show: [],
    channel: APPROVALS_CHANNEL,
    statement,
    holdsHere: true,
    ...(own ? {} : approversAbove(it)),
    ...policy,
    ...notBy,
  };
}
