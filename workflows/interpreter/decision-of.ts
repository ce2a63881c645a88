import type { Decision } from '../../plan/gate';
import type { SignalPayload } from '../../plan/signal';
import type { Via } from './inbound';
import type { Run } from './run';
import type { GateRecord } from './state';

/** A decision as it is recorded: who, when, by which way, and the digest of what was shown. */
export function decisionOf(run: Run, gate: GateRecord, choice: string, payload: SignalPayload, via: Via): Decision {
  return {
    choice,
    at: new Date(run.ctx.now()).toISOString(),
    via,
    identity: 'claimed',
    shownSha256: gate.shownSha256,
    ...(payload.by === undefined ? {} : { by: payload.by }),
    ...(payload.comment === undefined ? {} : { comment: payload.comment }),
    ...(payload.value === undefined ? {} : { value: payload.value }),
  };
}
