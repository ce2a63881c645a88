import { chains } from '../../../kinds/questions';
import { defined } from '../../../plan/defined';
import type { ChainEnd, CommandsInput, CommandsOutput } from '../../../plan/steps/container-activities';
import { orderOf } from '../../../plan/steps/order';
import type { Begins } from '../../../plan/steps/step-activity';
import { Cancelled } from '../../run-context';
import type { WorkEnd } from '../context/attempt-log';
import type { Interpreter } from '../interpreter';
import { noteSent } from '../messages/envelopes';
import type { Run } from '../run';
import type { Place } from '../scheduling/place';
import type { ChainResult } from '../state/kept-by-kind';
import { chainResultFor, openKindState } from '../state/kind-state';
import type { StepRecord } from '../state/step-record';
import { stepActivityOptions } from './activity-options';
import { workPolicy } from './activity-timeouts';
import { recordOutput } from './record-output';
import { stepInput } from './step-input';
import { byClock, isoTime, noteBegunAgain, workClock } from './work-times';

/**
 * Steps of a sequence with no decision between them run in one activity: the first brings the results of those after it, and each finds its
 * own in its record when it is its turn.
 *
 * Invariants: 1. a step of a chain settles as it would by itself, one after the other, with the times of its worker;
 * 2. a chain's results are in state until then; 3. for a missing result the step's own activity runs; so a chain may end anywhere.
 */

/** The most steps of one activity, whose input is in workflow history. */
const CHAIN_STEPS = 100;

/** Makes a chain do the work of a step, if the step begins one. Undefined if there is nothing to wait for. */
export function joinChain(it: Interpreter, place: Place, record: StepRecord): Promise<void> | undefined {
  const rest = chainResultFor(record) || record.try > 1 ? [] : chainedTo(it, place);
  return rest.length === 0 ? undefined : runChain(it, [place, ...rest]);
}

/** The step's own part of a chain's results, taken into its record; undefined if its own activity must do the work. */
export function takeChained(it: Interpreter, place: Place, record: StepRecord): WorkEnd | undefined {
  const fetched = chainResultFor(record);
  if (!fetched || 'alone' in fetched) return undefined;
  noteBegunAgain(it.run, place.path, fetched.begun);
  if (fetched.startedAtMs !== undefined) record.times = { ...record.times, startedAtMs: fetched.startedAtMs };
  if (!('output' in fetched)) return { failure: fetched.failure };
  if (fetched.failure) return { failure: fetched.failure };
  takeResult(it, place, record, fetched);
  return { atMs: fetched.endedAtMs };
}

/** When the first of its workers began a step that a chain has gone through before its turn. */
export function begunInChain(record: StepRecord): number | undefined {
  const fetched = chainResultFor(record);
  return fetched && !('alone' in fetched) ? (fetched.begun?.[0] ?? fetched.startedAtMs) : undefined;
}

function takeResult({ run }: Interpreter, place: Place, record: StepRecord, { output, message }: ChainEnd): void {
  const { step } = place;
  recordOutput(record, step, output);
  if (message !== undefined && 'channel' in step && step.channel !== undefined) noteSent(run, place, step.channel, message);
}

/** The steps that follow without a decision in between and that nothing has happened to. */
function chainedTo({ run }: Interpreter, { step, frame }: Place): Place[] {
  const { places } = frame;
  const found: Place[] = [];
  let next = orderOf(frame.block).position(step.id) + 1;
  for (let place = places[next]; place?.step.chained && found.length < CHAIN_STEPS - 1; place = places[next]) {
    if ((run.state.records[place.path]?.state ?? 'pending') !== 'pending') break;
    if (chainResultFor(run.record(place.path))) break;
    found.push(place);
    next += 1;
  }
  return found;
}

async function runChain(it: Interpreter, chain: readonly Place[]): Promise<void> {
  const { run } = it;
  const [head] = chain;
  if (!head) return;
  const { frame } = head;
  const sent = chain.slice(0, frame.chainSteps);
  const input: CommandsInput = { run: run.ctx.info.firstRunId, steps: sent.map((place) => linkInput(it, place)) };
  const longest = sent.some(({ step }) => step.timeoutMs === undefined)
    ? undefined
    : sent.reduce((sum, { step }) => sum + (step.timeoutMs ?? 0), 0);
  const sinceMs = run.record(head.path).times?.startedAtMs ?? run.ctx.now();
  const brought = await run.activity(head, 'commands', input, {
    address: `${run.address(head.path)}/chain`,
    ...stepActivityOptions(run, head),
    ...workPolicy(longest),
  });
  const { done, failure, failed, alone, cancelled } = onRunsClock(run, sinceMs, brought);
  if (cancelled) {
    keepDone(it, chain, input, { done, cancelled });
    throw new Cancelled();
  }
  done.forEach((end, i) => {
    keepFetched(it, chain[i], end);
  });
  if (failure) keepFetched(it, chain[done.length], { failure, ...failed });
  else if (alone) keepFetched(it, chain[done.length], { alone });
  // A chain of slow steps ends early: unused steps of its input are still in history.
  else frame.chainSteps = Math.min(CHAIN_STEPS, 2 * Math.max(1, done.length));
}

function onRunsClock(run: Run, sinceMs: number, { done, failed, cancelled, ...rest }: CommandsOutput): CommandsOutput {
  const clock = workClock(run, sinceMs);
  const began = ({ startedAtMs, ...begins }: Begins & { startedAtMs: number }) => ({
    ...byClock(begins, clock),
    startedAtMs: clock(startedAtMs),
  });
  return {
    ...rest,
    done: done.map((end) => ({ ...end, ...began(end), endedAtMs: clock(end.endedAtMs) })),
    ...defined({ failed: failed && began(failed), cancelled: cancelled && began(cancelled) }),
  };
}

function linkInput({ run }: Interpreter, place: Place): CommandsInput['steps'][number] {
  const { run: _ofAll, ...input } = stepInput(run, place);
  return { address: run.address(place.path), input };
}

function keepFetched({ run }: Interpreter, place: Place | undefined, fetched: ChainResult): void {
  if (place && chains(place.step)) openKindState(run.record(place.path), place.step.kind).fetched = fetched;
}

/**
 * Work done before the chain was cancelled counts, whatever becomes of the block around it: it is shown, and a rerun does not repeat it.
 */
function keepDone(
  it: Interpreter,
  chain: readonly Place[],
  { steps }: CommandsInput,
  { done, cancelled }: Pick<Required<CommandsOutput>, 'done' | 'cancelled'>,
): void {
  const { run, slots, changed } = it;
  chain.slice(0, done.length + 1).forEach((place, i) => {
    const { path } = place;
    // A round that was sent back meanwhile has another address.
    if (run.address(path) !== steps[i]?.address) return;
    const record = run.record(path);
    const end = done[i];
    // The rest of the run may have closed it already.
    if (!end && record.state === 'skipped') return;
    const { startedAtMs, begun } = end ?? cancelled;
    const endedAtMs = end?.endedAtMs ?? run.ctx.now();
    record.times = { startedAtMs, endedAtMs };
    if (end && !end.failure) takeResult(it, place, record, end);
    if (end?.failure) record.error = { ...end.failure, tolerated: true };
    record.state = end?.failure ? 'failed' : end ? 'done' : 'skipped';
    run.index.settled(path, record);
    slots.give(path);
    noteBegunAgain(run, path, begun);
    run.journal.add({ kind: 'step', step: run.name(path), state: record.state, ...said(record, end), at: isoTime(endedAtMs) });
  });
  changed();
}

function said({ output }: StepRecord, end: ChainEnd | undefined) {
  if (!end) return { reason: 'cancelled while it ran' };
  if (end.failure) return { error: { code: end.failure.code, message: end.failure.message } };
  return defined({ artifact: output?.artifact });
}
