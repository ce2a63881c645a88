import { jsonText, parseJson } from '../../../plan/text/json-text';
import type { Run } from '../run';
import type { PendingSignal } from '../state/state';
import type { NotApplied } from './planned-command';

/**
 * Signals that an activity is checking. They are in state until the result is known, so the run may continue in a fresh execution at any
 * time: unchecked ones are checked there, from the beginning.
 */

const LIMIT_CHARACTERS = 1_000_000;

export interface CheckedSignal {
  name: string;
  payload: unknown;
  sealedFor: string | undefined;
  check: () => Promise<NotApplied | undefined>;
  done: (problem: NotApplied | undefined) => void;
}

/** Returns why not, if too many are being checked already. */
export function checkInBackground(run: Run, { name, payload, sealedFor, check, done }: CheckedSignal): NotApplied | undefined {
  const text = jsonText(payload ?? null);
  const pending = run.state.pendingSignals ?? [];
  const signal: PendingSignal = { name, characters: text.length };
  if (payload !== undefined) signal.payload = parseJson(text);
  if (sealedFor !== undefined) signal.sealedFor = sealedFor;
  const characters = pending.reduce((sum, one) => sum + one.characters, text.length);
  if (characters > LIMIT_CHARACTERS)
    return { outcome: 'unavailable', reason: `answers of ${LIMIT_CHARACTERS} characters are being checked already: send it again later` };
  run.state.pendingSignals = [...pending, signal];
  // Too late for this execution: it is closing.
  if (run.ending) return undefined;
  run.background(async () => {
    const problem = await check();
    // If it is gone, the run has ended meanwhile and reported its outcome.
    if (leaves(run, signal)) done(problem);
    run.drainIfDue();
  });
  return undefined;
}

/** Signals that an earlier execution has not finished checking, or that the run's end overtakes. */
export function takePendingSignals({ state }: Run): readonly PendingSignal[] {
  const pending = state.pendingSignals ?? [];
  delete state.pendingSignals;
  return pending;
}

function leaves({ state }: Run, signal: PendingSignal): boolean {
  const rest = state.pendingSignals?.filter((one) => one !== signal) ?? [];
  const stood = rest.length < (state.pendingSignals?.length ?? 0);
  if (rest.length > 0) state.pendingSignals = rest;
  else delete state.pendingSignals;
  return stood;
}
