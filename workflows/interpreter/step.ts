import { performSwitch } from '../../kinds/switch/run';
import type { Action } from '../../plan/action';
import { ThermidorFailure } from '../../plan/failure';
import { unreachable } from '../../plan/unreachable';
import { Cancelled } from '../run-context';
import { actOn } from './actions';
import { BESIDE } from './agents/spawns';
import { authorise, needsLeave } from './authorise';
import { resumeWithin } from './containers/within';
import { finish } from './finish';
import { leaveForInputs } from './gates/other-inputs';
import type { Interpreter } from './interpreter';
import { performAgent } from './kinds/agent';
import { performApproval } from './kinds/approval';
import { performCommand } from './kinds/command';
import { performForEach } from './kinds/for-each';
import { performGroup } from './kinds/group';
import { performInput } from './kinds/input';
import { performNotify } from './kinds/notify';
import { performParallel } from './kinds/parallel';
import { performPipeline } from './kinds/pipeline';
import { performStages } from './kinds/stages';
import { performWait } from './kinds/wait';
import { beginTurn, isContainer, isOver, type Place } from './place';
import { nextTry } from './retries';
import type { StartDecision } from './scheduler';
import { type StepResult, settle } from './settle';
import type { StepRecord } from './state/record';
import { readsUnsettled, untilInputsAreSettled } from './unsettled-inputs';

/**
 * Runs any step, whatever its kind: condition → tries → `on_error` → record. Kinds are one file each.
 *
 * Invariants: 1. a step's coroutine can be started again from its record at any wait, in another execution, and goes on
 * from there; activities that have a result in the ledger are not done again. 2. A kind either settles its step, sends work
 * back, ends the run, or throws `ThermidorFailure`. 3. Where the frame of a step has closed, its coroutine ends at the next
 * wait and changes nothing more.
 */
export function startStep(it: Interpreter, place: Place, decision: StartDecision): void {
  const record = it.run.record(place.path);
  if (!decision.start) {
    settle(it, place, 'skipped', decision.reason);
    return;
  }
  if (record.state === 'pending') {
    record.state = 'running';
    record.startedAtMs = it.run.ctx.now();
    it.run.journal.add({ kind: 'step', step: it.run.name(place.path), state: 'running' });
    it.changed();
  }
  const turn = beginTurn(place);
  it.run.spawn(() => runTries(it, turn));
}

async function runTries(it: Interpreter, place: Place): Promise<void> {
  const { run } = it;
  const { step, path } = place;
  for (;;) {
    const record = run.record(path);
    if (record.state === 'held' && (await operatorsAnswer(it, place, record)) === 'settled') return;
    if (record.retryAtMs !== undefined) {
      await run.until(record.retryAtMs, path);
      delete record.retryAtMs;
    }
    let failure = escalatedFailure(record);
    try {
      if (!failure && readsUnsettled(it, place)) await untilInputsAreSettled(it, place);
      if (!failure && asksForInputs(it, place, record) && (await leaveForInputs(it, place, record)) === 'settled') return;
      if (!failure && needsLeave(it, place) && (await authorise(it, place, record)) === 'settled') return;
      if (!failure && (await perform(it, place, record)) === 'settled') return;
    } catch (error) {
      if (isOver(place)) throw new Cancelled();
      failure = failureOf(record, error);
    }
    if (isOver(place)) throw new Cancelled();
    if (!failure) continue;
    const lookedUp = isContainer(step) ? it.calledOff.pendingWithin(path) : undefined;
    if (lookedUp) await run.parked(lookedUp);
    if (isOver(place) || (run.ending && run.ending.kind !== 'continue' && lookedUp)) throw new Cancelled();
    // Whether it was done only a person can find out: no try and no action of the step's own may come before that.
    const isUnknown = failure.code === 'action.unknown';
    if (!record.gate && !isUnknown && openNextTry(it, place, record, failure)) continue;
    const own = failure.code.startsWith('reply.') && 'onInvalid' in step && step.onInvalid ? step.onInvalid : step.onError;
    const actions: readonly Action[] = isUnknown ? [{ kind: 'hold' }] : (own ?? []);
    if ((await afterFailure(it, place, record, actions, failure)) === 'settled') return;
  }
}

/** Whether an operator has replaced inputs that people had approved. What is of a category asks for itself. */
function asksForInputs({ run }: Interpreter, { step }: Place, { withAsks }: StepRecord): boolean {
  return withAsks !== undefined && step.category === undefined && run.ctx.patched('other-inputs-are-asked-for');
}

/** What its actions say. Where these fail in their turn, as a gate that cannot be shown, the step has failed of that. */
async function afterFailure(
  it: Interpreter,
  place: Place,
  record: StepRecord,
  actions: readonly Action[],
  failure: ThermidorFailure,
): Promise<StepResult> {
  try {
    return await actOn(it, place, actions, { kind: 'error', failure });
  } catch (error) {
    if (isOver(place)) throw new Cancelled();
    return await actOn(it, place, [], { kind: 'error', failure: failureOf(record, error) });
  }
}

/** A failure that an earlier execution took to a person, who has not answered yet. */
function escalatedFailure(record: StepRecord): ThermidorFailure | undefined {
  if ((record.gate?.kind !== 'escalation' && !record.escalated) || !record.error) return undefined;
  return new ThermidorFailure(record.error.code, record.error.message, record.error.details);
}

/** A step's failure, recorded; anything else that is thrown is thrown on. */
function failureOf(record: StepRecord, error: unknown): ThermidorFailure {
  if (!(error instanceof ThermidorFailure)) throw error;
  record.error = { code: error.code, message: error.message, ...(error.details === undefined ? {} : { details: error.details }) };
  return error;
}

function openNextTry(it: Interpreter, place: Place, record: StepRecord, failure: ThermidorFailure): boolean {
  const { run } = it;
  const again = nextTry(run, place, record, failure);
  if (!again) return false;
  const error = { code: failure.code, message: failure.message };
  run.journal.add({ kind: 'step', step: run.name(place.path), state: 'running', reason: `try ${record.try + 1} follows`, error });
  const { spawned } = record;
  openTry(it, place, record);
  // A try that goes on where an error of the service broke the one before off has its children, too.
  if (spawned && again.note.reason === 'api_error' && run.ctx.patched(BESIDE)) record.spawned = spawned;
  record.note = again.note;
  if (again.delayMs > 0) record.retryAtMs = run.ctx.now() + again.delayMs;
  it.changed();
  return true;
}

/** What an earlier try left is no part of the next, but for what a container has done already. */
function openTry(it: Interpreter, place: Place, record: StepRecord): void {
  record.try += 1;
  // A wait that is tried again has begun to run, as any other step.
  if (record.state === 'waiting') record.state = 'running';
  delete record.deadlineMs;
  delete record.resumeAtMs;
  delete record.fetched;
  delete record.halted;
  delete record.asked;
  delete record.child;
  delete record.hold;
  delete record.spawned;
  delete record.awaits;
  delete record.journalled;
  delete record.criticKeeps;
  delete record.approvals;
  delete record.passed;
  delete record.contentSha256;
  delete record.escalated;
  delete record.missing;
  delete record.timedOut;
  resumeWithin(it, place);
}

function perform(it: Interpreter, place: Place, record: StepRecord): Promise<StepResult> {
  // The step's work is done, and a person is being asked about it.
  if (place.step.approval && (record.asked || asksBehind(record)) && !record.halted) return finish(it, place);
  const { step } = place;
  switch (step.kind) {
    case 'agent':
    case 'review':
      return performAgent(it, { ...place, step }, record);
    case 'command':
      return performCommand(it, place, record);
    case 'stages':
      return performStages(it, place, record);
    case 'approval':
      return performApproval(it, { ...place, step }, record);
    case 'input':
      return performInput(it, { ...place, step }, record);
    case 'notify':
      return performNotify(it, { ...place, step });
    case 'wait':
      return performWait(it, { ...place, step }, record);
    case 'parallel':
      return performParallel(it, { ...place, step }, record);
    case 'switch':
      return performSwitch(it, { ...place, step });
    case 'group':
      return performGroup(it, { ...place, step });
    case 'for_each':
      return performForEach(it, { ...place, step }, record);
    case 'pipeline':
      return performPipeline(it, { ...place, step }, record);
    default:
      return unreachable(step);
  }
}

/** Whether the gate that is open asks about work that is done, and not for leave to do it. */
function asksBehind({ gate, contentSha256 }: StepRecord): boolean {
  return gate !== undefined && gate.kind !== 'budget' && contentSha256 === undefined;
}

async function operatorsAnswer(it: Interpreter, place: Place, record: StepRecord): Promise<StepResult> {
  const { run } = it;
  while (!record.operator) await run.sleepUntilWoken(`operator:${place.path}`, place.path);
  const answer = record.operator;
  delete record.operator;
  if (answer.kind === 'skip') {
    settle(it, place, 'skipped', answer.reason ?? `skipped by ${answer.by ?? 'an operator'}`);
    it.changed('gates');
    return 'settled';
  }
  record.state = 'running';
  openTry(it, place, record);
  delete record.spent;
  delete record.heldFor;
  delete record.artifact;
  delete record.values;
  delete record.verdict;
  record.note = { reason: 'operator', message: 'an operator asked for another try' };
  it.resume(place);
  it.changed('gates');
  return 'again';
}
