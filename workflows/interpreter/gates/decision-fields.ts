import { defined } from '../../../plan/defined';
import type { Decision } from '../../../plan/people/gate';
import type { SignalPayload } from '../../../plan/run/signal';
import { copyField } from '../../../plan/text/json-text';
import type { MessageSource } from '../inbound/planned-command';
import type { Run } from '../run';
import type { ApproverSlot } from './approver';
import type { GateRecord } from './gate-record';

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
  return { ...(proof ? { channel: proof.channel } : {}), ...defined({ inPlaceOf }) };
}
