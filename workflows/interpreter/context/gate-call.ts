import type { Decision } from '../../../plan/people/gate';
import { bug } from '../../../plan/run/failure';
import { joined } from '../../../plan/text/joined';
import { remindOf } from '../gates/gate-notices';
import { ESCALATED, type GateRecord, type TakenDecision } from '../gates/gate-record';
import { choicesOf, type GateSpec } from '../gates/gate-spec';
import { closeGate, gateWakeKey } from '../gates/gates';
import { openGate } from '../gates/open-gate';
import type { Interpreter } from '../interpreter';
import type { Run } from '../run';
import type { Place } from '../scheduling/place';
import { forgetError } from '../state/forget';

/** Nobody's choices: a gate returns this if its time ran out and that is no decision by itself. */
const DEFAULTED = 'defaults';
const GIVEN_UP = 'ended';

/**
 * Opens a gate at a place, unless it is open already, and waits for its decision. An activity renders and hashes what is shown; the
 * decision binds to that hash. `taken` is called at the moment of the decision. Rejects with `Cancelled` when the run, or an enclosing
 * frame, ends first.
 */
export async function decisionAt(
  it: Interpreter,
  place: Place,
  spec: GateSpec,
  taken: (decision: TakenDecision) => void,
): Promise<TakenDecision> {
  const { run } = it;
  const record = run.record(place.path);
  const opened = record.asked?.gate ?? (await openGate(it, place, spec));
  if (!opened) return stillGiven(spec, taken);
  record.asked = { ...record.asked, gate: opened };
  if (spec.kind !== 'escalation') forgetError(record);
  record.state = 'waiting';
  const gate = opened;
  const onTimeout = outcomeOfTime(spec);
  it.rest(place);
  it.changed('gates');
  while (!gate.decision) {
    if (spec.over?.() || place.child?.over) return giveUp(it, place, gate);
    const due = earliest(onTimeout === undefined ? undefined : gate.deadlineMs, gate.remindAtMs);
    const name = gateWakeKey(place.path);
    if (due === undefined) await run.sleepUntilWoken(name, place.path);
    else if (await run.until(due, place.path, name)) {
      // If both fall on the same moment the gate closes: there are no reminders of a question that is no longer asked.
      const over = onTimeout !== undefined && due === gate.deadlineMs;
      if (due === gate.remindAtMs && !over) remindOf(run, place.path, gate, spec.remindMs ?? 0);
      else gate.decision ??= decisionOfTime(run, gate, onTimeout ?? ESCALATED);
    }
  }
  const { decision } = gate;
  run.journal.add({ kind: 'decision', step: run.name(place.path), decision });
  closeGate(run, place.path, decision.via === 'time-out' ? 'timed-out' : 'decided', decision);
  const answer: TakenDecision = joined<TakenDecision>(decision, { contentSha256: gate.contentSha256 });
  taken(answer);
  record.state = 'running';
  it.resume(place);
  it.changed('gates');
  return answer;
}

/** Nobody is asked: an earlier try has the answer. */
function stillGiven({ given }: GateSpec, taken: (decision: TakenDecision) => void): TakenDecision {
  if (!given) throw bug('a yes holds that nobody has given');
  taken(given);
  return given;
}

/** The gate closes without an answer. */
function giveUp(it: Interpreter, place: Place, gate: GateRecord): Decision {
  const { run } = it;
  closeGate(run, place.path, 'ended');
  run.record(place.path).state = 'running';
  it.resume(place);
  it.changed('gates');
  return decisionOfTime(run, gate, GIVEN_UP);
}

function outcomeOfTime(spec: GateSpec): string | undefined {
  const { kind, onTimeout } = spec;
  if (kind === 'input') return DEFAULTED;
  return onTimeout === 'conservative' ? mostCareful(choicesOf(spec)) : onTimeout;
}

/** The refusal among the possible answers; else the last, because authors list them from bold to careful. */
function mostCareful(choices: readonly string[]): string {
  return choices.includes('reject') ? 'reject' : (choices.at(-1) ?? 'reject');
}

function decisionOfTime(run: Run, gate: GateRecord, choice: string): Decision {
  return { choice, at: new Date(run.ctx.now()).toISOString(), via: 'time-out', identity: 'claimed', shownSha256: gate.shownSha256 };
}

function earliest(...moments: (number | undefined)[]): number | undefined {
  const known = moments.filter((moment) => moment !== undefined);
  return known.length > 0 ? Math.min(...known) : undefined;
}
