import type { Plan } from '../../plan/plan';
import { allActions } from '../../plan/steps/action';
import { parseAddress } from '../../plan/steps/address';
import { orderOf } from '../../plan/steps/order';
import type { Step } from '../../plan/steps/step';
import { everyStep, runsInTurns, stepsWithin } from '../../plan/steps/walk';

type Blocks = Pick<Plan, 'block'>;

/**
 * Where a rerun begins whose args have changed: at the first step, as the plan runs them, that reads one of them. What is read within a
 * loop, or within turns of a pattern, is read by the step around it; what runs only where an action calls it, by the steps that call it.
 * Undefined if no step of the main block reads any.
 */
export function firstReader(plan: Blocks, readers: ReadonlySet<string>): string | undefined {
  const called = [...everyStep<Step>(plan.block.steps)].filter((step) => callsAny(step, readers)).map(({ id }) => id);
  const all = new Set([...readers, ...called]);
  return inOrder(plan).find(({ step, onCall }) => !onCall && readsAt(step, all))?.step.id;
}

/** The one that comes first: the address of a step that failed, or the id of one that reads what has changed. */
export function earlierOf(plan: Blocks, failed: string, reader: string): string {
  const places = inOrder(plan);
  const at = (id: string): number => places.findIndex(({ step }) => step.id === id);
  return at(ownStep(plan, failed)) < at(reader) ? failed : reader;
}

interface PlaceInOrder {
  step: Step;
  /** It, or a step around it, runs only where an action calls it. */
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

/** The step of this plan that an address leads to: that of a child's step is the one that runs the child. */
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
