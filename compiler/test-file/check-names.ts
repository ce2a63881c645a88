import { runsChild } from '../../kinds/questions';
import type { BuiltInToolName } from '../../plan/agents/tool-names';
import type { Plan } from '../../plan/plan';
import { parseAddress, stepIdOf } from '../../plan/steps/address';
import { mayOpenGate } from '../../plan/steps/opens-gate';
import type { Step } from '../../plan/steps/step';
import { stepsOfPlan } from '../../plan/steps/walk';
import { field } from '../../plan/text/json';
import { parseJson } from '../../plan/text/json-text';
import type { Compiled } from '../compile';
import type { Located, Report, SourceSpan } from '../diagnostics/diagnostic';
import { didYouMean } from '../diagnostics/suggest';
import type { ScriptPlaces } from '../script/read-script';
import { problemOfAddress } from './check-address';
import { ANY_STEP, type MergeStandIn, type PersonAction, type StandIn, type TaskStandIn } from './test-file';

/** Checks that the steps a test names exist, and can do what the test says of them. */

type Plans = ReadonlyMap<string, Plan>;

/** Stand-ins are for steps that run commands, and for those whose agents may run them. */
export function checkCommands(
  commands: Readonly<Record<string, StandIn[]>>,
  { plan, blobs }: Pick<Compiled, 'plan' | 'blobs'>,
  places: ScriptPlaces,
  report: Report,
): void {
  const steps = new Map(stepsOfPlan(plan).map((step) => [step.id, step]));
  const kinds = new Set<Step['kind']>(agentsRun(plan, blobs) ? ['command', 'stages', 'agent', 'review'] : ['command', 'stages']);
  const runsCommands = ({ kind }: Step): boolean => kinds.has(kind);
  const running = [...steps.values()].filter(runsCommands).map(({ id }) => id);
  for (const [id, list] of Object.entries(commands)) {
    const step = steps.get(id);
    const at = places.get(list);
    if (id === ANY_STEP || !at || (step && runsCommands(step))) continue;
    const problem = step ? `step "${id}" of ${plan.name} runs no command` : `${plan.name} has no step "${id}"`;
    report('test.unknown-step', at, `the test has a stand-in for "${id}", but ${problem}`, known(id, running, 'steps that run commands'));
  }
}

/** A merge queue takes the commits in the worktree of a step. */
export function checkMerges(merges: Readonly<Record<string, MergeStandIn[]>>, plan: Plan, places: ScriptPlaces, report: Report): void {
  const steps = new Map(stepsOfPlan(plan).map((step) => [step.id, step]));
  const owners = [...steps.values()].filter(ownsWorktree).map(({ id }) => id);
  for (const [id, list] of Object.entries(merges)) {
    const step = steps.get(id);
    const at = places.get(list);
    if (!at || (step && ownsWorktree(step))) continue;
    const problem = step ? `step "${id}" of ${plan.name} has no worktree of its own` : `${plan.name} has no step "${id}"`;
    const hint = known(id, owners, 'steps with a worktree of their own');
    report('test.unknown-step', at, `the test says what comes of the candidates of "${id}", but ${problem}`, hint);
  }
}

/** A task for a team is what a step gives. */
export function checkTasks(tasks: Readonly<Record<string, TaskStandIn[]>>, plan: Plan, places: ScriptPlaces, report: Report): void {
  const steps = new Map(stepsOfPlan(plan).map((step) => [step.id, step]));
  const giving = [...steps.values()].filter(givesTask).map(({ id }) => id);
  for (const [id, list] of Object.entries(tasks)) {
    const step = steps.get(id);
    const at = places.get(list);
    if (!at || (step && givesTask(step))) continue;
    const problem = step ? `step "${id}" of ${plan.name} gives no task to a team` : `${plan.name} has no step "${id}"`;
    const hint = known(id, giving, 'steps that give a task to a team');
    report('test.unknown-step', at, `the test says what comes of the task of "${id}", but ${problem}`, hint);
  }
}

function givesTask(step: Step): boolean {
  return 'task' in step;
}

function ownsWorktree({ worktree }: Step): boolean {
  return worktree !== undefined && !('of' in worktree);
}

/** Whether agents may run programs: an agent that does a step may call any other. */
function agentsRun({ agents }: Plan, blobs: Compiled['blobs']): boolean {
  return Object.values(agents ?? {}).some(({ definition }) => {
    const content = blobs.get(definition)?.content;
    const tools = content === undefined ? undefined : field(parseJson(content), 'tools');
    return Array.isArray(tools) && tools.includes(RUN);
  });
}
const RUN: BuiltInToolName = 'run';

/** A scripted person who waits for a gate must be able to meet one. */
export function checkPeople(people: readonly PersonAction[], plan: Plan, children: Plans, report: Report): void {
  const steps = stepsOfPlan(plan);
  const gates = steps.filter((step) => meetsPeople(step, plan)).map(({ id }) => id);
  for (const { when, at } of people) {
    if (when.kind === 'at') continue;
    const named = when.kind === 'gate' ? when.gate : when.step;
    if (isBadAddress(named, at, plan, children, report)) continue;
    const step = stepNamed(named, plan, children);
    if (step === 'a child’s' || (step && (when.kind === 'held' || meetsPeople(step, plan)))) continue;
    const problem = step ? `step "${named}" opens no gate` : `${plan.name} has no step "${named}"`;
    const candidates = when.kind === 'gate' ? gates : steps.map(({ id }) => id);
    report('test.unknown-step', at, `somebody waits for "${named}", but ${problem}`, known(named, candidates, 'known'));
  }
}

/** Whether a person may be asked at the step: reaching a budget's ceiling opens a gate, too. */
function meetsPeople(step: Step, plan: Plan): boolean {
  return mayOpenGate(step, plan) || plan.budget !== undefined || step.budget !== undefined;
}

export function checkTestNames(named: readonly Located<string>[], plan: Plan, children: Plans, report: Report): void {
  const ids = stepsOfPlan(plan).map(({ id }) => id);
  for (const { value, at } of named) {
    if (isBadAddress(value, at, plan, children, report)) continue;
    if (!stepNamed(value, plan, children)) unknownStep(value, at, plan, ids, report);
  }
}

function isBadAddress(named: string, at: SourceSpan, plan: Plan, children: Plans, report: Report): boolean {
  const problem = problemOfAddress(named, plan, children);
  if (problem) report('test.bad-address', at, problem.message, problem.hint);
  return problem !== undefined;
}

function unknownStep(named: string, at: SourceSpan, plan: Plan, ids: readonly string[], report: Report): void {
  report('test.unknown-step', at, `${plan.name} has no step "${named}"`, known(named, ids, 'steps'));
}

/** The step with an id or an address; what comes after a `pipeline` step is the child's. */
function stepNamed(named: string, plan: Plan, children: Plans): Step | 'a child’s' | undefined {
  const address = parseAddress(named);
  if (!address) return undefined;
  const steps = new Map(stepsOfPlan(plan).map((step) => [step.id, step]));
  for (const [i, { id }] of address.path.entries()) {
    const step = steps.get(id);
    if (!step || !runsChild(step) || i === address.path.length - 1) continue;
    const child = children.get(step.pipeline);
    const within = stepsOfPlan(child ?? plan).some((inner) => inner.id === stepIdOf(address));
    return within ? 'a child’s' : undefined;
  }
  const known = address.path.every(({ id }) => steps.has(id));
  return known ? steps.get(stepIdOf(address)) : undefined;
}

function known(wanted: string, candidates: readonly string[], what: string): string | undefined {
  return didYouMean(wanted, candidates, `${what}: ${candidates.join(', ') || 'none'}`);
}
