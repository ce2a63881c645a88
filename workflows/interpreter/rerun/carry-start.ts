import { firstIteration, runsChild } from '../../../kinds/questions';
import type { CarryProblem } from '../../../plan/run/carry';
import { allActions } from '../../../plan/steps/action';
import { formatPath, parseAddress, shortAddress } from '../../../plan/steps/address';
import type { ControlStep } from '../../../plan/steps/control';
import { hasParts, runsInTurns } from '../../../plan/steps/walk';
import type { Run } from '../run';
import { containerPath, type PlanPosition, pathOf, pathWithin, stepIdAt } from '../scheduling/place';
import { childStateOf } from '../state/kind-state';
import { missingTurn } from './named-turn';

/** The step that a rerun begins from, as a person has named it: by id if that is enough, else by its address. */
export interface CarryStart {
  path: string;
  /** The step is in this child pipeline; `from` is its name there. */
  child?: { path: string; run: string; from: string };
}

export function carryStart(run: Run, named: string): CarryStart | CarryProblem {
  // Rounds of the steps around it say nothing of the step.
  const address = parseAddress(named.replace(/[#~]\d+(?=[^/]*\/)/g, ''));
  if (!address) return { problem: `"${named}" is not the address of a step` };
  const path = formatPath(address.path);
  const standing = run.steps.get(stepIdAt(path));
  const found = address.path.length === 1 && standing ? pathOf(standing, undefined) : standsAt(run, path) ? path : undefined;
  const onCall = standing && calledAround(standing);
  if (onCall) return { problem: `${named} runs only where an action calls ${onCall}: rerun from ${callersOf(run, onCall)}` };
  if (found !== undefined) {
    const problem = isLast(run, found)
      ? `${found} is in \`finally\`, which always runs again`
      : missingTurn(run, { ...address, path: parseAddress(found)?.path ?? [] });
    return problem === undefined ? { path: found } : { problem };
  }
  if (address.path.length === 1 && standing) return { problem: `${path} ${inTurns(standing)}` };
  for (let end = address.path.length - 1; end > 0; end--) {
    const outer = formatPath(address.path.slice(0, end));
    const child = childStateOf(run.state.records[outer]);
    if (child && standsAt(run, outer)) {
      return {
        path: outer,
        child: { path: outer, run: child.workflowId, from: shortAddress({ ...address, path: address.path.slice(end) }) },
      };
    }
    const step = run.steps.get(stepIdAt(outer))?.step;
    if (step && runsChild(step) && standsAt(run, outer))
      return { problem: `${outer} has not started its child pipeline: rerun from ${outer}` };
  }
  if (standing) {
    const only = pathOf(standing, undefined);
    return { problem: `there is no step "${named}": ${standing.step.id} ${only === undefined ? inTurns(standing) : `is ${only}`}` };
  }
  const known = [...run.steps.keys()].slice(0, STEPS_NAMED).join(', ');
  return { problem: `there is no step "${named}"; steps: ${known}${run.steps.size > STEPS_NAMED ? ', …' : ''}` };
}
const STEPS_NAMED = 50;

/** Whether the plan could have a path, with branches by their number. */
function standsAt(run: Run, path: string): boolean {
  const id = stepIdAt(path);
  const standing = run.steps.get(id);
  const outer = containerPath(path);
  if (!standing?.container || outer === undefined) return standing !== undefined && !standing.container && outer === undefined;
  const { step } = standing.container;
  if (stepIdAt(outer) !== step.id || !standsAt(run, outer)) return false;
  if (!runsInTurns<ControlStep>(step)) return path === pathWithin(outer, standing.branch, id);
  return /\[\d+\]$/.test(path.slice(0, path.lastIndexOf('/')));
}

function isLast(run: Run, path: string): boolean {
  const [outermost = path] = path.split(/[/[]/);
  return run.plan.finally?.steps.some(({ id }) => id === outermost) === true;
}

/** The enclosing step, or the step itself, that runs only when called. */
function calledAround(standing: PlanPosition): string | undefined {
  for (let at: PlanPosition | undefined = standing; at; at = at.container) if (at.step.onCall) return at.step.id;
  return undefined;
}

function callersOf({ steps }: Run, called: string): string {
  const calls = [...steps.values()].filter(({ step }) =>
    allActions(step).some((action) => action.kind === 'call' && action.step === called),
  );
  return calls.map(({ step }) => step.id).join(' or ');
}

function inTurns(standing: PlanPosition): string {
  const { container } = standing;
  const where =
    container && hasParts<ControlStep>(container.step)
      ? `runs in turns of ${container.step.id}: name the turn`
      : 'is in a loop: name the iteration';
  return `${where}, such as ${example(standing)}`;
}

function example({ step, container }: PlanPosition): string {
  if (!container || !runsInTurns<ControlStep>(container.step)) return `LOOP[0]/…/${step.id}`;
  return `${container.step.id}[${hasParts<ControlStep>(container.step) ? 1 : firstIteration(container.step)}]/${step.id}`;
}
