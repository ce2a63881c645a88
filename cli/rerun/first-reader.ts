import type { Plan } from '../../plan/plan';
import { allActions } from '../../plan/steps/action';
import { parseAddress } from '../../plan/steps/address';
import { orderOf } from '../../plan/steps/order';
import type { Step } from '../../plan/steps/step';
import { everyStep, runsInTurns, stepsWithin } from '../../plan/steps/walk';

type Blocks = Pick<Plan, 'block'>;

/**
 * Where a rerun with changed args begins: at the first step, as the plan runs them, that reads one of them. Reads within a loop, or within
 * turns of a pattern, count for the step around them; those of a step that runs only when an action calls it, for the steps that call it.
 * Undefined if no step of the main block reads any.
 */
export function firstReader(plan: Blocks, readers: ReadonlySet<string>): string | undefined {
  const called = [...everyStep<Step>(plan.block.steps)].filter((step) => callsAny(step, readers)).map(({ id }) => id);
  const all = new Set([...readers, ...called]);
  return inOrder(plan).find(({ step, onCall }) => !onCall && readsAt(step, all))?.step.id;
}

/** The one that comes first: the address of a step that failed, or the id of one that reads a changed value. */
export function earlierOf(plan: Blocks, failed: string, reader: string): string {
  const places = inOrder(plan);
  const at = (id: string): number => places.findIndex(({ step }) => step.id === id);
  return at(ownStep(plan, failed)) < at(reader) ? failed : reader;
}

interface PlaceInOrder {
  step: Step;
  /** The step, or one around it, runs only when an action calls it. */
  onCall: boolean;
}

/** Every step in the order in which the plan runs them, a step before those within it. */
function inOrder({ block }: Blocks): PlaceInOrder[] {
  const visit = (steps: readonly Step[], around: boolean): PlaceInOrder[] =>
    steps.flatMap((step) => {
      const onCall = around || step.onCall === true;
      return [{ step, onCall }, ...visit('block' in step ? ranked(step.block) : stepsWithin<Step>(step), onCall)];
    });
  return visit(ranked(block), false);
}

function ranked(block: Plan['block']): Step[] {
  const { ranked: ids, position } = orderOf(block);
  return ids.flatMap((id) => block.steps[position(id)] ?? []);
}

function readsAt(step: Step, readers: ReadonlySet<string>): boolean {
  return (
    readers.has(step.id) || (runsInTurns<Step>(step) && [...everyStep<Step>(stepsWithin<Step>(step))].some(({ id }) => readers.has(id)))
  );
}

function callsAny(step: Step, called: ReadonlySet<string>): boolean {
  return allActions(step).some((action) => action.kind === 'call' && called.has(action.step));
}

/** The step of this plan that an address leads to: for a child's step, the one that runs the child. */
function ownStep({ block }: Blocks, address: string): string {
  let own = '';
  let steps: readonly Step[] = block.steps;
  for (const { id } of parseAddress(address)?.path ?? []) {
    const step = steps.find((one) => one.id === id);
    if (!step) break;
    own = id;
    steps = stepsWithin<Step>(step);
  }
  return own;
}
