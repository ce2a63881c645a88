import { isGate } from '../../../kinds/questions';
import { actOn } from '../actions';
import type { Interpreter } from '../interpreter';
import { approversAbove } from '../people/chain';
import { gateSpecOfPolicy } from '../people/policy';
import { isWithin, type Place } from '../place';
import { APPROVALS_CHANNEL } from '../policies';
import { coverFinder } from '../rerun/covers';
import { placeFinder } from '../rerun/gathering';
import type { Run } from '../run';
import type { StepResult } from '../settle';
import type { StepRecord } from '../state/record';
import { decisionAt, type GateSpec } from './gates';

/**
 * An operator has replaced what a step reads. Where people approved what was there before, each gate that covers the step asks them
 * again, at the step and under its own policy. An action of a category needs nothing of this: it asks for exactly what it is about to do.
 */

/** Paths of the gates whose decisions cover a step. */
export function gatesCovering(run: Run, path: string): string[] {
  const find = placeFinder(run);
  const coverOf = coverFinder((place) => run.state.records[place.path]?.passed !== undefined);
  return Object.entries(run.state.records).flatMap(([gate, { passed }]) => {
    const place = passed && gate !== path ? find(gate) : undefined;
    const levels = place ? coverOf(place).levels : [];
    return levels.some(({ places }) => places.some((behind) => behind.path === path || isWithin(path, behind.path))) ? [gate] : [];
  });
}

/** `settled` where a person said no: the run ends as rejected. */
export async function leaveForInputs(it: Interpreter, place: Place, record: StepRecord): Promise<StepResult | 'go'> {
  const find = placeFinder(it.run);
  for (let [gate] = record.withAsks ?? []; gate !== undefined; [gate] = record.withAsks ?? []) {
    const decision = await decisionAt(it, place, specAt(it, find(gate), record, statementOf(it, place, gate, record)));
    // It is about this try alone: what is behind the step is covered by the gate before it.
    delete record.passed;
    if (decision.choice === 'reject') return await actOn(it, place, [], { kind: 'rejected', decision });
    record.withAsks = (record.withAsks ?? []).slice(1);
  }
  delete record.withAsks;
  return 'go';
}

function statementOf(it: Interpreter, { path }: Place, gate: string, { withBy, with: given = null }: StepRecord): string {
  const who = withBy ?? 'An operator';
  const what = `${who} wants step ${it.run.name(path)} to go on with other inputs than were approved at ${it.run.name(gate)}`;
  return `${what}: ${JSON.stringify(given, null, 2)}`;
}

/** The gate's own policy, without its time-out: silence is no yes to what nobody has seen before. */
function specAt(it: Interpreter, gate: Place | undefined, { withBy }: StepRecord, statement: string): GateSpec {
  const own = gate && isGate(gate.step) ? gate.step : undefined;
  const { timeoutMs: _over, onTimeout: _done, ...policy }: Partial<GateSpec> = own ? gateSpecOfPolicy(it, own) : {};
  const notBy = policy.notBy && withBy !== undefined ? { notBy: [...new Set([...policy.notBy, withBy])] } : {};
  return { kind: 'approval', show: [], channel: APPROVALS_CHANNEL, statement, ...(own ? {} : approversAbove(it)), ...policy, ...notBy };
}
