import type { Decision } from '../../../plan/people/gate';
import { judgeStateOf, kindStateAfter } from './kind-state';
import type { StepRecord } from './step-record';

/**
 * What a record loses, and when: the only place that takes fields out of records. What stays from one try, round or execution to the next
 * is therefore what is not named here.
 */

/** The try is over, and another one follows. */
export function closeTry(record: StepRecord): void {
  if (!kindStateAfter('try', record)) delete record.kept;
  delete record.asked?.question;
  delete record.asked?.passed;
}

/** The gate is closed, and its answer, if there is one, is the last. */
export function closeQuestion(record: StepRecord, decision: Decision | undefined): void {
  delete record.asked?.gate;
  if (decision) record.asked = { ...record.asked, decision };
}

/** The round is over: its result stays, and nothing of the way there. */
export function closeRecord(record: StepRecord): void {
  if (record.state === 'done') forgetError(record);
  delete record.attempt;
  if (record.tries?.note) delete record.tries.note;
  if (record.brief?.messages) delete record.brief.messages;
  if (!kindStateAfter('round', record)) delete record.kept;
}

/** The round of a step that had failed has not ended after all. */
export function reopenRound(record: StepRecord): void {
  clearTolerated(record);
  delete record.times?.endedAtMs;
}

/** Items that were emitted, and the worktree, stay. */
export function forgetOutput(record: StepRecord): void {
  delete record.output?.artifact;
  delete record.output?.values;
  const kept = judgeStateOf(record);
  if (kept) delete kept.verdict;
}

/** An earlier try's failure is not part of this one's result. */
export function forgetError(record: StepRecord): void {
  delete record.error;
}

/** Its failure is no longer one that the others tolerate. */
export function clearTolerated({ error }: StepRecord): void {
  if (error) delete error.tolerated;
}

/** Nobody calls the step any more. */
export function forgetCaller({ brief }: StepRecord): void {
  delete brief?.calledBy;
}

/** Somebody takes the step's items again. */
export function clearUnread(record: StepRecord): void {
  delete record.unread;
}
