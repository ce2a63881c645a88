import { ThermidorFailure } from '../../plan/run/failure';
import { composeOutput } from '../../workflows/interpreter/containers/compose';
import { closeRound, openRounds } from '../../workflows/interpreter/containers/rounds';
import { deadlineOf, runBlock } from '../../workflows/interpreter/containers/run-block';
import type { Perform } from '../../workflows/interpreter/interpreter';
import { frameIn, isSuperseded } from '../../workflows/interpreter/scheduling/place';
import { conditionHolds } from '../../workflows/interpreter/steps/expression-scope';
import { Cancelled } from '../../workflows/run-context';

/**
 * A block in rounds. Workflow state holds the current round and the previous one's outputs, however many there have been.
 *
 * Invariants: 1. a round begins when the previous one is over; 2. its number is used once: a try after `repeat.exhausted` continues
 * counting, and has as many rounds again; 3. a try after another failure continues in the round that failed.
 */
export const performRepeat: Perform<'repeat'> = async (it, place, record, ctx) => {
  const { run } = it;
  const { step, path } = place;
  const rounds = openRounds(record, step, step.max);
  const deadlineMs = deadlineOf(it, step, ctx);
  while (!rounds.met && rounds.over < rounds.limit) {
    const frame = frameIn(place, rounds.over + 1);
    await runBlock(it, frame, place, deadlineMs);
    if (isSuperseded(place)) throw new Cancelled();
    closeRound(it, place, rounds, conditionHolds(run, step.until, frame));
  }
  const { met, over, outputs } = rounds;
  await composeOutput(it, place, { kind: 'fields', own: { round: over, exhausted: !met }, results: outputs });
  if (met) return undefined;
  rounds.exhaustedIn = record.try;
  run.journal.add({ kind: 'step', step: run.name(path), state: 'running', reason: 'its rounds are over' });
  const message = `${run.name(path)} is not done after ${over} ${over === 1 ? 'round' : 'rounds'}: its "until" does not hold`;
  if (step.onExhausted) return { cause: { kind: 'exhausted', message } };
  throw new ThermidorFailure('repeat.exhausted', message, { step: step.id, rounds: over });
};
