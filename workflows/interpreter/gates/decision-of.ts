import type { Decision } from '../../../plan/gate';
import type { SignalPayload } from '../../../plan/signal';
import type { Via } from '../orders/inbound';
import type { Seat } from '../people/seat';
import type { Run } from '../run';
import type { GateRecord } from './gate-record';

/**
 * A decision as it is recorded: who, when, by which way, and the digest of what was shown. `channel` says what has proven who it is:
 * without it the name is claimed.
 */
export function decisionOf(
  run: Run,
  gate: GateRecord,
  choice: string,
  payload: SignalPayload,
  via: Via,
  checked: Pick<Decision, 'channel' | 'inPlaceOf'> = {},
): Decision {
  return {
    choice,
    at: new Date(run.ctx.now()).toISOString(),
    via,
    identity: checked.channel === undefined ? 'claimed' : 'proven',
    shownSha256: gate.shownSha256,
    ...checked,
    ...(payload.by === undefined ? {} : { by: payload.by }),
    ...(payload.comment === undefined ? {} : { comment: payload.comment }),
    ...(payload.value === undefined ? {} : { value: payload.value }),
  };
}

/** What is recorded of a proof: it has been checked by the time that the decision is made. */
export function provenBy({ proof }: SignalPayload, { inPlaceOf }: Seat): Pick<Decision, 'channel' | 'inPlaceOf'> {
  return { ...(proof ? { channel: proof.channel } : {}), ...(inPlaceOf === undefined ? {} : { inPlaceOf }) };
}
