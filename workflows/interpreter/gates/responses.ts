import { ThermidorFailure } from '../../../plan/failure';
import type { Json } from '../../../plan/json';
import type { SignalPayload } from '../../../plan/signal';
import type { Interpreter } from '../interpreter';
import type { NotApplied, Planned, Via } from '../orders/inbound';
import { leaveDesk, turnAtDesk } from '../people/check-desk';
import type { Seat } from '../people/seat';
import { QUICK_MS } from '../policies';
import { decisionOf, provenBy } from './decision-of';
import type { OpenGate } from './gate-view';
import { gateSleeper } from './gates';

/**
 * What an answer to an input gate would do. Whether it fits the gate's schema only an activity can say, and by then the gate may be
 * closed: the caller plans it again.
 */
export function planResponse(it: Interpreter, { path, gate }: OpenGate, payload: SignalPayload, via: Via, seat: Seat): Planned {
  const { run } = it;
  const { response } = payload;
  const label = run.name(path);
  if (response === undefined) return { outcome: 'unreadable', reason: 'respond needs a response' };
  return {
    step: label,
    check: async () => {
      const turn = turnAtDesk(run);
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
        leaveDesk(run);
      }
    },
    apply: () => {
      gate.decision = { ...decisionOf(run, gate, 'respond', payload, via, provenBy(payload, seat)), value: response };
      run.wake(gateSleeper(path));
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
    { address: `${step}/answer-${run.state.checks}`, kept: true, startToCloseMs: QUICK_MS },
  );
  return checked.problems;
}
