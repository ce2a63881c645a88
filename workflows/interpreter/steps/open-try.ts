import { defined, unlessEmpty } from '../../../plan/defined';
import type { Findings } from '../../../plan/steps/step-activity';
import { settleStepBudget } from '../budget/settle-step';
import { resumeInnerSteps } from '../containers/inner-steps';
import type { AttemptRecord } from '../context/attempt-log';
import { ownAgent } from '../context/open-entries';
import type { Interpreter } from '../interpreter';
import type { Place } from '../scheduling/place';
import { closeTry, forgetError, forgetOutput } from '../state/forget';
import { type StepRecord, withUnanswered } from '../state/step-record';

/**
 * An earlier try's remains are not part of the next, except a container's finished work, people's answers to exactly what a call does, and,
 * if a service error broke off an agent that continues in the same transcript (`goesOn`), its children and the answers to its calls.
 */
export function openTry(it: Interpreter, place: Place, record: StepRecord, goesOn: boolean): void {
  record.try += 1;
  // A wait that is tried again has begun to run, as any other step.
  if (record.state === 'waiting') record.state = 'running';
  const adopted = leftToAgent(record, goesOn);
  const asks = record.brief?.replaced?.asks ?? [];
  settleStepBudget(it, place.path);
  closeTry(record);
  const open = place.step.category === undefined ? unlessEmpty(asks) : undefined;
  record.attempt = { work: [], ...defined({ asks: open, adopted, given: record.attempt?.given, grants: record.attempt?.grants }) };
  resumeInnerSteps(it, place);
}

/** Requests that the run has taken up count for every try of a round. */
function leftToAgent(record: StepRecord, goesOn: boolean): AttemptRecord['adopted'] {
  const { spawned, runRequests, decisions } = ownAgent(record)?.keeps ?? record.attempt?.adopted ?? {};
  return { ...(goesOn ? defined({ spawned, decisions }) : {}), ...defined({ runRequests }) };
}

/** The try of a step whose work did not finish, and which is sent back for that: it continues with somebody's comments. */
export function openTrySentBack(it: Interpreter, place: Place, findings: Findings): void {
  const { run } = it;
  const record = run.record(place.path);
  const reason = `try ${record.try + 1} follows: sent back by ${findings.review}`;
  run.journal.add({ kind: 'step', step: run.name(place.path), state: 'running', reason });
  record.state = 'running';
  openTry(it, place, record, false);
  forgetOutput(record);
  record.tries = {};
  record.brief = { ...record.brief, findings: withUnanswered(findings, record) };
  forgetError(record);
  it.resume(place);
  it.changed('gates');
}
