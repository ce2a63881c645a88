import { agent } from '../../activities/agent';
import type { ActivityCall } from '../../activities/call';
import { checkResponse } from '../../activities/check-response';
import { childInput } from '../../activities/child-input';
import { command } from '../../activities/command';
import { compose } from '../../activities/compose';
import { gate } from '../../activities/gate';
import { journal } from '../../activities/journal';
import { items, itemValues } from '../../activities/loop-items';
import { masked } from '../../activities/masked';
import { notify } from '../../activities/notify';
import { openRun } from '../../activities/open-run';
import { stages } from '../../activities/stages/stages-activity';
import { loadState, saveState } from '../../activities/state';
import type { Toolbox } from '../../activities/toolbox';
import type { Activities, CommandsInput, CommandsOutput, StepInput } from '../../plan/contract';
import { FAILURES, ThermidorFailure } from '../../plan/failure';

/** A call of an activity with the toolbox that is right for it. */
export interface BenchCall {
  call: ActivityCall;
  toolbox: Toolbox;
  /** Name of the script that stands in for the run's agents. */
  script: string;
  /** With stand-ins for the commands of one execution of a step. */
  commandToolbox(call: ActivityCall, iterations: readonly number[]): Toolbox;
  nowMs(): number;
}

type Performers = { [N in keyof Activities]: (bench: BenchCall, input: Parameters<Activities[N]>[0]) => ReturnType<Activities[N]> };

/** Does what the worker does (activities/create-activities.ts), without Temporal. */
export const PERFORM: Performers = {
  openRun: async ({ toolbox, call, script }, input) => {
    const ref = await toolbox.artifacts.put(JSON.stringify({ name: script }), {
      mediaType: 'application/json',
      name: `${script}.script.json`,
    });
    return await openRun(toolbox, call.key, { ...input, input: { ...input.input, script: ref } });
  },
  agent: ofStep(agent),
  command: ofCommands(command),
  commands,
  stages: ofCommands(stages),
  items: ofStep(items),
  itemValues: ({ toolbox }, input) => itemValues(toolbox, input),
  compose: ofStep(compose),
  childInput: ofStep(childInput),
  checkResponse: ofStep(checkResponse),
  gate: ofStep(gate),
  notify: ofStep(notify),
  journal: ({ toolbox }, input) => journal(toolbox, input),
  saveState: ({ toolbox }, input) => saveState(toolbox, input),
  loadState: ({ toolbox }, input) => loadState(toolbox, input),
};

type OfStep<I, O> = (toolbox: Toolbox, call: ActivityCall, input: I) => Promise<O>;

function ofStep<I, O>(work: OfStep<I, O>) {
  return ({ toolbox, call }: BenchCall, input: I): Promise<O> => masked(toolbox, call.key, () => work(toolbox, call, input));
}

function ofCommands<I extends StepInput, O>(work: OfStep<I, O>) {
  return ({ call, commandToolbox }: BenchCall, input: I): Promise<O> => {
    const iterations = (input.loops ?? []).map(({ index }) => index);
    const toolbox = commandToolbox(call, iterations);
    return masked(toolbox, call.key, () => work(toolbox, call, input));
  };
}

/**
 * A chain may stop at any boundary: here it stops after its first command, so that each runs by its own activity and at its own
 * moment of virtual time.
 */
async function commands(bench: BenchCall, { steps: [first] }: CommandsInput): Promise<CommandsOutput> {
  if (!first) return { done: [] };
  const startedAtMs = bench.nowMs();
  try {
    const output = await PERFORM.command({ ...bench, call: { ...bench.call, id: first.address } }, first.input);
    return { done: [{ output, startedAtMs, endedAtMs: bench.nowMs() }] };
  } catch (error) {
    bench.call.signal.throwIfAborted();
    if (!(error instanceof ThermidorFailure) || FAILURES[error.code].retried === 'temporal') throw error;
    const { code, message, details } = error;
    return { done: [], failure: { code, message, ...(details === undefined ? {} : { details }) } };
  }
}
