import type { ControlStep } from '../../plan/steps/control';
import { stepsWithin } from '../../plan/steps/walk';
import type { StepContext } from '../../workflows/interpreter/context/step-context';
import type { Interpreter, Work } from '../../workflows/interpreter/interpreter';
import type { Place } from '../../workflows/interpreter/scheduling/place';
import { KIND_CODE } from '../../workflows/kinds';
import type { RunInfo } from '../../workflows/run-context';
import type { World } from '../support/world';

/** The work of a step, written by a test, over the parts that the plan has beneath the step. */
export type Program = (
  ctx: StepContext,
  here: { it: Interpreter; address: string; parts: readonly ControlStep[]; part(id: string): ControlStep },
) => Promise<void>;

/** The work of steps by their ids. All other steps do the work of their kind. */
export function programs(byId: Record<string, Program>): Work {
  return (it, place, record, ctx) => {
    const program = byId[place.step.id];
    return program ? played(program, it, place, ctx) : KIND_CODE.work(it, place, record, ctx);
  };
}

async function played(program: Program, it: Interpreter, { step, path }: Place, ctx: StepContext): Promise<undefined> {
  const parts: readonly ControlStep[] = stepsWithin<ControlStep>(step);
  await program(ctx, {
    it,
    address: it.run.address(path),
    parts,
    part(id) {
      const found = parts.find((part) => part.id === id);
      if (!found) throw new Error(`${step.id} has no part ${id}`);
      return found;
    },
  });
  return undefined;
}

/** Makes a run continue in a fresh execution at any wait. */
export interface Freshly {
  historyIsFull(info: RunInfo): boolean;
  again(world: World): Promise<void>;
  /** Continues in a fresh execution at each wait, with time between them, until the run has ended. */
  toTheEnd(world: World): Promise<void>;
}

export function freshly(): Freshly {
  let full: string | undefined;
  const again = async (world: World): Promise<void> => {
    full = `run-${world.executions}`;
    // A message that nobody understands makes the run check whether its history is full.
    world.signal('nobody-knows-this');
    for (let i = 0; i < 4; i++) await world.settle();
  };
  return {
    historyIsFull: ({ runId }) => runId === full,
    again,
    async toTheEnd(world) {
      await world.settle();
      do await again(world);
      while (world.clock.tick());
      await world.settle();
    },
  };
}
