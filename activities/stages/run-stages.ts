import type { GateForm } from '../../plan/people/gate';
import { ThermidorFailure } from '../../plan/run/failure';
import type { Json } from '../../plan/text/json';
import { unreachable } from '../../plan/unreachable';
import { asJsonItems, type Item } from './items/item';
import { RUNNERS } from './runners';
import type { StageCall } from './stage-call';
import { outputTooLarge, stageFailed } from './stage-failure';
import type { StagePorts } from './stage-ports';

/** How a pipe ended. `rendered` is the output of `json` and `table`, in order. */
export type PipeEnd =
  | { kind: 'done'; items: Item[]; rendered: string }
  /** The stage at `stage` asks; `items` are its input. */
  | { kind: 'halted'; stage: number; items: Json[]; rendered: string; gate: 'approval' | 'input'; form: GateForm };

/**
 * Runs a pipe from a stage on, up to its end or a stage that asks a person. It knows neither runs nor Temporal.
 *
 * Invariants: 1. a stage begins when the one before has ended, and its result is kept if it had an effect; 2. kept items are JSON; 3. every
 * failure is a `ThermidorFailure`; those of `stage.failed` begin with the stage's name.
 *
 * @param from index of the first stage; after a halt, that of the one after the asking stage
 */
export async function runStages(stages: readonly StageCall[], items: readonly Item[], ports: StagePorts, from = 0): Promise<PipeEnd> {
  let here = [...items];
  let rendered = '';
  for (let index = from; index < stages.length; index += 1) {
    const call = stages[index];
    if (call === undefined) break;
    ports.signal.throwIfAborted();
    const result = await guarded(call, ports, () => runStage(call, index, here, ports));
    if (result.kind === 'asks') return { ...result, kind: 'halted', stage: index, items: asJsonItems(here), rendered };
    if (result.kind === 'text') rendered += result.text;
    here = result.kind === 'items' ? result.items : [];
  }
  return { kind: 'done', items: here, rendered };
}

type StageResult =
  | { kind: 'items'; items: Item[] }
  | { kind: 'text'; text: string }
  | { kind: 'asks'; gate: 'approval' | 'input'; form: GateForm };

async function runStage(call: StageCall, index: number, items: readonly Item[], ports: StagePorts): Promise<StageResult> {
  const runner = RUNNERS[call.name];
  switch (runner.kind) {
    case 'pure':
      return { kind: 'items', items: runner.run(call, items) };
    case 'render':
      return { kind: 'text', text: runner.run(items) };
    case 'gate':
      return { kind: 'asks', gate: runner.gate, form: runner.run(call, items) };
    case 'look':
      return { kind: 'items', items: await runner.run(call, items, ports) };
    case 'effect': {
      const inner: StagePorts = { ...ports, once: (name, work) => ports.once(`${index}/${name}`, work) };
      return { kind: 'items', items: await ports.once(`${index}`, async () => asJsonItems(await runner.run(call, items, inner))) };
    }
    default:
      return unreachable(runner);
  }
}

async function guarded<T>(call: StageCall, ports: StagePorts, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (ports.signal.aborted) throw ports.signal.reason;
    if (error instanceof ThermidorFailure && error.code === 'stage.failed') throw stageFailed(call, error.message, error.details);
    if (error instanceof RangeError) throw outOfRange(call, ports, error);
    throw error;
  }
}

/** JavaScript's own limits: of the length of a text, and of the depth of a value. */
function outOfRange(call: StageCall, { limitBytes }: StagePorts, { message }: RangeError): ThermidorFailure {
  return message.includes('call stack') ? stageFailed(call, 'an item is nested too deeply') : outputTooLarge(call, limitBytes);
}
