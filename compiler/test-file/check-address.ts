import { firstIteration, holdsBranches, iterates, runsChild } from '../../kinds/questions';
import type { Plan } from '../../plan/plan';
import { type Address, formatPath, parseAddress } from '../../plan/steps/address';
import type { Step } from '../../plan/steps/step';
import { hasParts, stepsWithin } from '../../plan/steps/walk';

/** Whether an address that a test names is one that a step can have: `each[2]/ask`, `build[0]/compile`, `deploy/ask`, `review#2`. */
export interface AddressProblem {
  message: string;
  hint: string;
}

interface KnownStep {
  step: Step;
  container?: KnownStep;
  /** Its number among the branches of a `parallel`. */
  branch?: number;
}

/** @param children plans of child pipelines, by name */
export function problemOfAddress(written: string, plan: Plan, children: ReadonlyMap<string, Plan>): AddressProblem | undefined {
  const address = parseAddress(written);
  const forms = 'write the id of a step, or its address such as each[2]/ask or review#2';
  if (!address) return { message: `"${written}" is not the address of a step`, hint: forms };
  if (written.includes('~'))
    return { message: `"${written}" names a try, but tests see rounds`, hint: `write "${written.replace(/~\d+$/, '')}"` };
  return problemOfPath(address, written, plan, children);
}

function problemOfPath({ path }: Address, written: string, plan: Plan, children: ReadonlyMap<string, Plan>): AddressProblem | undefined {
  let known = standingsOf(plan);
  let before: KnownStep | undefined;
  // The part of the address that leads to the child pipeline being checked.
  let prefix = '';
  for (const [i, segment] of path.entries()) {
    const here = known.get(segment.id);
    if (!here) return undefined;
    const outer = before && runsChild(before.step) ? undefined : before;
    if (before && here.container !== outer) {
      const message = `"${written}" is not an address: "${segment.id}" is not in "${before.step.id}"`;
      const right = `write "${prefix}${addressOf(here)}"`;
      return { message, hint: prefix === '' ? `${right}, or "${segment.id}" alone` : right };
    }
    const next = path[i + 1]?.id;
    const problem = problemOfIndex(here, segment.index, next, next === undefined ? undefined : known.get(next));
    if (problem) return { message: `"${written}" is not an address: ${problem.message}`, hint: problem.hint };
    if (runsChild(here.step) && next) {
      const child = children.get(here.step.pipeline);
      if (!child) return undefined;
      known = standingsOf(child);
      prefix = `${formatPath(path.slice(0, i + 1))}/`;
    }
    before = here;
  }
  return undefined;
}

/** Checks the number in brackets after a loop or a parallel step, which is allowed only if a step within it follows. */
function problemOfIndex(
  { step }: KnownStep,
  index: number | undefined,
  next: string | undefined,
  inner: KnownStep | undefined,
): AddressProblem | undefined {
  const part = numberedBy(step);
  if (part === undefined)
    return index === undefined
      ? undefined
      : { message: `"${step.id}" is neither a loop nor parallel`, hint: `write "${step.id}" without [${index}]` };
  const [first] = stepsWithin(step);
  if (next === undefined)
    return index === undefined
      ? undefined
      : { message: `it names a whole ${part}`, hint: `write "${step.id}", or a step within it: "${step.id}[${index}]/${first?.id}"` };
  const right = part === 'branch' ? inner?.branch : index;
  if (index !== undefined && (right === undefined || index === right)) return undefined;
  return {
    message: `it does not say which ${part} of "${step.id}" is meant`,
    hint: `write "${step.id}[${right ?? firstIn(step)}]/${next}"`,
  };
}

/** What a number in brackets after a step means. */
function numberedBy(step: Step): 'iteration' | 'branch' | 'turn' | undefined {
  if (holdsBranches(step)) return 'branch';
  if (iterates(step)) return 'iteration';
  return hasParts<Step>(step) ? 'turn' : undefined;
}

/** Turns and rounds count from 1. */
function firstIn(step: Step): number {
  return hasParts<Step>(step) ? 1 : firstIteration(step);
}

/** An example of the step's address, with the first iteration of each loop and the first turn. */
function addressOf({ step, container, branch }: KnownStep): string {
  if (!container) return step.id;
  const number = branch ?? (numberedBy(container.step) && firstIn(container.step));
  const index = number === undefined ? '' : `[${number}]`;
  return `${addressOf(container)}${index}/${step.id}`;
}

function standingsOf(plan: Plan): Map<string, KnownStep> {
  const found = new Map<string, KnownStep>();
  const visit = (steps: readonly Step[], container?: KnownStep): void => {
    for (const [i, step] of steps.entries()) {
      const known: KnownStep = { step };
      if (container) known.container = container;
      if (container && holdsBranches(container.step)) known.branch = i;
      found.set(step.id, known);
      visit(stepsWithin(step), known);
    }
  };
  visit(plan.block.steps);
  visit(plan.finally?.steps ?? []);
  return found;
}
