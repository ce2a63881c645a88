import { defined } from '../../../plan/defined';
import { ThermidorFailure } from '../../../plan/run/failure';
import type { SignalPayload } from '../../../plan/run/signal';
import type { ResponseCheck, SentResponse } from '../../../plan/steps/container-activities';
import { copyField } from '../../../plan/text/spelled-json';
import { type CheckKind, checkTogether } from '../inbound/check-together';
import type { MessageSource, NotApplied, PlannedCommand } from '../inbound/planned-command';
import type { Interpreter } from '../interpreter';
import type { Run } from '../run';
import { QUICK_ACTIVITY_MS } from '../steps/activity-timeouts';
import type { ApproverSlot } from './approver';
import type { OpenGate } from './gate-view';
import { decisionOf, gateWakeKey, provenBy } from './gates';

/**
 * What an answer to an input gate would do. Only an activity can check it against the gate's schema, and by then the gate may be closed:
 * the caller plans it again.
 */
export function planResponse(
  it: Interpreter,
  { path, gate }: OpenGate,
  payload: SignalPayload,
  via: MessageSource,
  slot: ApproverSlot,
): PlannedCommand {
  const { run } = it;
  const label = run.name(path);
  if (payload.response === undefined) return { outcome: 'unreadable', reason: 'respond needs a response' };
  return {
    step: label,
    check: () => check(run, path, gate, payload),
    apply: () => {
      gate.decision = decisionOf(run, gate, 'respond', payload, via, provenBy(payload, slot));
      copyField(payload, 'response', gate.decision, 'value');
      run.wake(gateWakeKey(path));
    },
  };
}

function refused(reason: string): NotApplied {
  return { outcome: 'refused', reason };
}

type AskingGate = OpenGate['gate'];

async function check(run: Run, path: string, gate: AskingGate, payload: SignalPayload): Promise<NotApplied | undefined> {
  try {
    const checked = await checkTogether(run, RESPONSES, sent(run, path, gate, payload));
    return 'outcome' in checked ? checked : unfit(run.name(path), checked);
  } catch (error) {
    return unchecked(run.name(path), error);
  }
}

const RESPONSES: CheckKind<SentResponse, ResponseCheck> = {
  most: 50,
  perform(run, responses) {
    run.state.checks = (run.state.checks ?? 0) + 1;
    const options = { address: `run/answers-${run.state.checks}`, kept: true, startToCloseMs: QUICK_ACTIVITY_MS } as const;
    return run.ctx.activity('checkResponses', { run: run.ctx.info.firstRunId, responses }, options);
  },
};

function sent(run: Run, path: string, { form }: AskingGate, payload: SignalPayload): SentResponse {
  const said: SentResponse = { step: run.address(path), response: null, ...defined({ form }) };
  copyField(payload, 'response', said);
  return said;
}

function unfit(label: string, { problems }: ResponseCheck): NotApplied | undefined {
  return problems.length > 0 ? refused(`${label} does not accept that: ${problems.join('; ')}`) : undefined;
}

/** An answer never fails the run. */
function unchecked(label: string, error: unknown): NotApplied {
  if (!(error instanceof ThermidorFailure)) throw error;
  return { outcome: 'unavailable', reason: `nobody could check the answer to ${label}: ${error.message}` };
}
