import type { CommandsInput, CommandsOutput } from '../../plan/container-work';
import { ThermidorFailure } from '../../plan/failure';
import type { WorkEnd } from '../../workflows/interpreter/context/memory';
import type { StepContext } from '../../workflows/interpreter/context/step-context';
import type { Interpreter } from '../../workflows/interpreter/interpreter';
import type { Place } from '../../workflows/interpreter/place';
import { workPolicy } from '../../workflows/interpreter/policies';
import { type Fetched, fetchedFor, keep } from '../../workflows/interpreter/state/kept';
import type { StepRecord } from '../../workflows/interpreter/state/record';
import { stepInput } from '../../workflows/interpreter/step-input';
import { stepPolicy } from '../../workflows/interpreter/step-policy';
import { takeOutput } from '../../workflows/interpreter/take-output';
import { Cancelled } from '../../workflows/run-context';

const COMMAND = { kind: 'command' } as const;

/** At most so many commands go to one activity: its input stands in workflow history. */
const CHAIN_STEPS = 100;

/**
 * Runs a command in an activity; its output comes back by reference, with the values that expressions read. Commands of a
 * sequence that are chained to it go along: each finds its result here when it is its turn.
 */
export async function performCommand(it: Interpreter, place: Place, record: StepRecord, ctx: StepContext): Promise<WorkEnd | undefined> {
  const { run } = it;
  const rest = fetchedFor(record) || record.try > 1 ? [] : chainedTo(it, place);
  if (rest.length > 0) await runChain(it, [place, ...rest]);
  const fetched = fetchedFor(record);
  if (fetched) return takeFetched(record, fetched);
  const address = run.address(place.path);
  const options = { address, ledger: address, ...stepPolicy(run, place) };
  takeOutput(record, COMMAND, await ctx.call('command', 'command', () => stepInput(run, place), options));
  return undefined;
}

/** The commands that follow without a decision in between and that nothing has happened to. */
function chainedTo({ run }: Interpreter, { step, frame }: Place): Place[] {
  const { places } = frame;
  const found: Place[] = [];
  let next = places.findIndex((place) => place.step.id === step.id) + 1;
  for (let place = places[next]; place?.step.chained && found.length < CHAIN_STEPS - 1; place = places[next]) {
    if ((run.state.records[place.path]?.state ?? 'pending') !== 'pending') break;
    if (fetchedFor(run.record(place.path))) break;
    found.push(place);
    next += 1;
  }
  return found;
}

async function runChain(it: Interpreter, chain: readonly Place[]): Promise<void> {
  const { run } = it;
  const [head] = chain;
  if (!head) return;
  const input: CommandsInput = {
    run: run.ctx.info.firstRunId,
    steps: chain.map((place) => ({ address: run.address(place.path), input: stepInput(run, place) })),
  };
  const longest = chain.some(({ step }) => step.timeoutMs === undefined)
    ? undefined
    : chain.reduce((sum, { step }) => sum + (step.timeoutMs ?? 0), 0);
  const { done, failure, calledOff } = await run.activity(head, 'commands', input, {
    address: `${run.address(head.path)}/chain`,
    ...stepPolicy(run, head),
    ...workPolicy(longest),
  });
  if (calledOff) {
    keepDone(it, chain, input, { done, calledOff });
    throw new Cancelled();
  }
  done.forEach((result, i) => {
    const place = chain[i];
    if (place) keep(run.record(place.path), 'command').fetched = result;
  });
  const failed = failure && chain[done.length];
  if (failed) keep(run.record(failed.path), 'command').fetched = { failure };
}

/** What ran before the chain was called off is done, whatever becomes of the block around it: it is shown, and a rerun does not repeat it. */
function keepDone(
  { run, slots, changed }: Interpreter,
  chain: readonly Place[],
  { steps }: CommandsInput,
  { done, calledOff }: Pick<Required<CommandsOutput>, 'done' | 'calledOff'>,
): void {
  chain.slice(0, done.length + 1).forEach((place, i) => {
    const { path } = place;
    // A round that was sent back meanwhile has another address.
    if (run.address(path) !== steps[i]?.address) return;
    const record = run.record(path);
    const result = done[i];
    // The rest of the run may have closed it already.
    if (!result && record.state === 'skipped') return;
    if (result) takeOutput(record, COMMAND, result.output);
    record.state = result ? 'done' : 'skipped';
    record.startedAtMs = (result ?? calledOff).startedAtMs;
    record.endedAtMs = result?.endedAtMs ?? run.ctx.now();
    run.index.settled(path, record);
    slots.give(path);
    const what = result ? (record.artifact ? { artifact: record.artifact } : {}) : { reason: 'called off while it ran' };
    run.journal.add({ kind: 'step', step: run.name(path), state: record.state, ...what });
  });
  changed();
}

function takeFetched(record: StepRecord, fetched: Fetched): WorkEnd {
  if ('failure' in fetched) {
    const { code, message, details } = fetched.failure;
    throw new ThermidorFailure(code, message, details);
  }
  takeOutput(record, COMMAND, fetched.output);
  record.startedAtMs = fetched.startedAtMs;
  return { atMs: fetched.endedAtMs };
}
