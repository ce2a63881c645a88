import { ThermidorFailure } from '../../../plan/run/failure';
import type { SignalPayload } from '../../../plan/run/signal';
import type { Json } from '../../../plan/text/json';
import type { MessageSource, NotApplied, PlannedCommand } from '../inbound/planned-command';
import type { Interpreter } from '../interpreter';
import { QUICK_ACTIVITY_MS } from '../steps/activity-timeouts';
import type { ApproverSlot } from './approver';
import { decisionOf, provenBy } from './decision-fields';
import type { OpenGate } from './gate-view';
import { gateWakeKey } from './gates';
import { endProofTurn, waitForProofTurn } from './proof-queue';

/**
 * What an answer to an input gate would do. Whether it fits the gate's schema only an activity can say, and by then the gate may be
 * closed: the caller plans it again.
 */
export function planResponse(
  it: Interpreter,
  { path, gate }: OpenGate,
  payload: SignalPayload,
  via: MessageSource,
  slot: ApproverSlot,
): PlannedCommand {
  const { run } = it;
  const { response } = payload;
  const label = run.name(path);
  if (response === undefined) return { outcome: 'unreadable', reason: 'respond needs a response' };
  return {
    step: label,
    check: async () => {
      const turn = waitForProofTurn(run);
      if (turn && 'outcome' in turn) return turn;
      if (turn) await turn.promise;
      try {
        const problems = await problemsOf(it, { path, gate }, response);
        if (problems.length > 0) return refused(`${label} does not accept that: ${problems.join('; ')}`);
        return undefined;
      } catch (error) {
        // What somebody answers never fails the run.
        if (!(error instanceof ThermidorFailure)) throw error;
        return refused(`nobody could check the answer to ${label}: ${error.message}`);
      } finally {
        endProofTurn(run);
      }
    },
    apply: () => {
      gate.decision = { ...decisionOf(run, gate, 'respond', payload, via, provenBy(payload, slot)), value: response };
      run.wake(gateWakeKey(path));
    },
  };
}

function refused(reason: string): NotApplied {
  return { outcome: 'refused', reason };
}

async function problemsOf(
  { run }: Interpreter,
  { path, gate }: Pick<OpenGate, 'path' | 'gate'>,
  response: Json,
): Promise<readonly string[]> {
  const step = run.address(path);
  run.state.checks = (run.state.checks ?? 0) + 1;
  const checked = await run.ctx.activity(
    'checkResponse',
    { run: run.ctx.info.firstRunId, step, response, ...(gate.form ? { form: gate.form } : {}) },
    // Answers may come two at a time: each check has an id of its own.
    { address: `${step}/answer-${run.state.checks}`, kept: true, startToCloseMs: QUICK_ACTIVITY_MS },
  );
  return checked.problems;
}
