import { signalOf } from '../../../kinds/questions';
import { isUndecodable } from '../../../plan/run/signal';
import type { Json } from '../../../plan/text/json';
import { jsonText, parseJson } from '../../../plan/text/json-text';
import type { Interpreter } from '../interpreter';
import type { Run } from '../run';
import { stepIdAt } from '../scheduling/place';

/** Signals with names of the author's own, for `wait: {signal}` steps. They are kept, in order, until one takes them. */

/** The limit for one name. */
const KEPT = 100;
/** The limit of a payload, which is in workflow state. */
const LIMIT_CHARACTERS = 64 * 1024;

export function isAwaited(run: Run, name: string): boolean {
  for (const { step } of run.steps.values()) if (signalOf(step) === name) return true;
  return false;
}

export function keepSignal(it: Interpreter, name: string, payload: unknown): void {
  const { run } = it;
  const kept = Object.hasOwn(run.state.signals, name) ? (run.state.signals[name] ?? []) : [];
  const text = jsonText(payload ?? null);
  const problem = whyNot(payload, text, kept.length);
  if (problem !== undefined) {
    run.journal.add({ kind: 'signal', name, outcome: 'refused', reason: problem });
    return;
  }
  run.state.signals[name] = [...kept, parseJson(text)];
  run.journal.add({ kind: 'signal', name, outcome: 'applied' });
  for (const [path, record] of run.index.live(run.state.records)) {
    const step = run.steps.get(stepIdAt(path))?.step;
    if (record.state === 'waiting' && step && signalOf(step) === name) run.wake(signalWakeKey(path));
  }
}

function whyNot(payload: unknown, text: string, kept: number): string | undefined {
  if (isUndecodable(payload)) return `its payload in encoding "${payload.encoding}" cannot be decoded`;
  if (text.length > LIMIT_CHARACTERS) return `its payload has more than ${LIMIT_CHARACTERS} characters`;
  return kept >= KEPT ? `${KEPT} of that name wait already` : undefined;
}

/** The oldest unclaimed one; undefined if there is none. */
export function takeSignal(run: Run, name: string): Json | undefined {
  return Object.hasOwn(run.state.signals, name) ? run.state.signals[name]?.shift() : undefined;
}

export function signalWakeKey(path: string): string {
  return `signal:${path}`;
}
