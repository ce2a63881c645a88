import type { Json } from '../../plan/json';
import type { SignalPayload } from '../../plan/signal';
import { decisionOf } from './decision-of';
import type { OpenGate } from './gate-view';
import { gateSleeper } from './gates';
import type { Planned, Via } from './inbound';
import type { Interpreter } from './interpreter';
import { QUICK_MS } from './policies';

/** A response stands in workflow state until its step takes it up. */
const LIMIT_CHARACTERS = 64 * 1024;

/** What an answer to an input gate would do. Whether it fits the gate's schema only an activity can say. */
export function planResponse(it: Interpreter, { path, gate }: OpenGate, payload: SignalPayload, via: Via): Planned {
  const { run } = it;
  const { response } = payload;
  const label = run.name(path);
  if (response === undefined) return { outcome: 'unreadable', reason: 'respond needs a response' };
  if (JSON.stringify(response).length > LIMIT_CHARACTERS)
    return { outcome: 'refused', reason: `a response has at most ${LIMIT_CHARACTERS} characters` };
  return {
    step: label,
    check: async () => {
      const problems = await problemsOf(it, { path, gate }, response);
      if (problems.length > 0) return { outcome: 'refused', reason: `${label} does not take that: ${problems.join('; ')}` };
      return undefined;
    },
    still: () =>
      run.state.records[path]?.gate !== gate || gate.decision
        ? { outcome: 'late', reason: `the gate of ${label} is closed: somebody else was first` }
        : undefined,
    apply: () => {
      gate.decision = { ...decisionOf(run, gate, 'respond', payload, via), value: response };
      run.wake(gateSleeper(path));
    },
  };
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
