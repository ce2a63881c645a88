import { defined } from '../../../plan/defined';
import type { Decision } from '../../../plan/people/gate';
import type { SignalPayload } from '../../../plan/run/signal';
import { copyField } from '../../../plan/text/spelled-json';
import type { MessageSource } from '../inbound/planned-command';
import type { Run } from '../run';
import { closeQuestion } from '../state/forget';
import type { ApproverSlot } from './approver';
import { announceClosing } from './gate-notices';
import { CLOSED_GATES_KEPT, type ClosedGate, type GateRecord } from './gate-record';
import { notePassed } from './passed-gates';
import { notePlaces } from './whole-question';

/** An answer becomes a decision, which closes its gate. */

export function gateWakeKey(path: string): string {
  return `gate:${path}`;
}

/**
 * The record of a decision: who, when, in which way, and the digest of what was shown. `channel` says what has proven the person: without
 * it the name is claimed.
 */
export function decisionOf(
  run: Run,
  gate: GateRecord,
  choice: string,
  payload: SignalPayload,
  via: MessageSource,
  checked: Pick<Decision, 'channel' | 'inPlaceOf'> = {},
): Decision {
  const decision: Decision = {
    choice,
    at: new Date(run.ctx.now()).toISOString(),
    via,
    identity: checked.channel === undefined ? 'claimed' : 'proven',
    shownSha256: gate.shownSha256,
    ...checked,
    ...defined({ by: payload.by, comment: payload.comment }),
  };
  if (payload.value !== undefined) copyField(payload, 'value', decision);
  return decision;
}

/** The recorded part of a proof, which has been checked before the decision is made. */
export function provenBy({ proof }: SignalPayload, { inPlaceOf }: ApproverSlot): Pick<Decision, 'channel' | 'inPlaceOf'> {
  return defined({ channel: proof?.channel, inPlaceOf });
}

export function closeGate(run: Run, path: string, why: ClosedGate['why'], decision?: Decision): void {
  const record = run.record(path);
  const { gate } = record.asked ?? {};
  if (gate && why !== 'decided') announceClosing(run, path, gate, why);
  if (decision) notePassed(record, decision);
  if (gate) notePlaces(run, path, gate, why, decision);
  closeQuestion(record, decision);
  run.journal.add({ kind: 'gate', step: run.name(path), event: 'closed', reason: why });
  run.state.closedGates.push({
    step: path,
    round: record.round,
    why,
    ...defined({ by: decision?.by, choice: decision?.choice }),
  });
  if (run.state.closedGates.length > CLOSED_GATES_KEPT) run.state.closedGates.shift();
}
