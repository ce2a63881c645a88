import { judges } from '../../../kinds/questions';
import { defined } from '../../../plan/defined';
import type { EscalationRound } from '../../../plan/steps/escalation';
import type { Run } from '../run';
import type { Place } from '../scheduling/place';
import { roundOf } from '../state/step-record';

/** Every round of the steps at these paths, oldest first. */
export function roundsAt({ state }: Run, paths: readonly string[]): EscalationRound[] {
  const rounds = paths.flatMap((at) => {
    const record = state.records[at];
    return record ? [...(record.superseded ?? []), roundOf(record)].map((round) => ({ ...round, at })) : [];
  });
  rounds.sort((a, b) => a.round - b.round);
  return rounds.map(({ at, round, artifact, verdict, error }) => ({
    step: at,
    round,
    ...defined({ artifact, verdict, error: error && { code: error.code, message: error.message } }),
  }));
}

/** A review's verdicts before its last round, which is shown in full. */
export function earlierReviews(run: Run, { step, path }: Place): EscalationRound[] {
  return judges(step) ? roundsAt(run, [path]).slice(0, -1) : [];
}
