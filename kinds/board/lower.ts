import type { Located } from '../../compiler/diagnostics/diagnostic';
import { OPEN, type OutputShape } from '../../compiler/expression/output-shape';
import { resolve } from '../../compiler/expression/resolve';
import type { Syntax, TemplateSyntax } from '../../compiler/expression/syntax';
import { programOf } from '../../compiler/lower/agents/agent-program';
import { namedAgent } from '../../compiler/lower/agents/agent-work';
import { budgetOf, checkWithin } from '../../compiler/lower/budget';
import type { KindLowering } from '../../compiler/lower/kind-lowering';
import { namesInScope } from '../../compiler/lower/names';
import { notAList } from '../../compiler/lower/not-a-list';
import type { LoweredStep, StepContext } from '../../compiler/lower/step-context';
import { keyOf } from '../../compiler/shape/source';
import { DEFAULT_MEMBERS } from '../../plan/board/member';
import { LEAD } from '../../plan/board/message';
import { numberIn } from '../../plan/board/task';
import type { BudgetSpec } from '../../plan/budgets/budget';
import { defined } from '../../plan/defined';
import type { Sha256 } from '../../plan/run/artifact';
import type { BoardStep } from '../../plan/steps/step';
import { checkTasks } from './check-tasks';
import { checkTeam } from './check-team';
import { isolationOf } from './isolation';
import type { PlannedMember, PlannedTask } from './model';
import { partsOf } from './parts';
import { DEFAULT_ATTEMPTS, DEFAULT_IDLE_MS, DEFAULT_SHUTDOWN_MS, DEFAULT_WORK_TURNS } from './rules/limits';
import { BOARD_FIELDS, MEMBER_FIELDS, REFUSED_FIELDS, TASK_FIELDS } from './rules/output';
import type { BoardSource, TaskSource } from './source';

export const BOARD_LOWERING: KindLowering<BoardSource> = {
  lower: boardStep,
  output: () => RESULT,
};

const rowsOf = (names: readonly string[]): OutputShape => ({ kind: 'list', of: fieldsOf(names) });
const fieldsOf = (names: readonly string[], rows: Readonly<Record<string, OutputShape>> = {}): OutputShape => ({
  kind: 'fields',
  fields: new Map(names.map((name) => [name, rows[name] ?? OPEN])),
});
const RESULT = fieldsOf(BOARD_FIELDS, {
  tasks: rowsOf(TASK_FIELDS),
  members: rowsOf(MEMBER_FIELDS),
  messages: rowsOf(REFUSED_FIELDS),
});

function boardStep(work: BoardSource, here: StepContext): LoweredStep | undefined {
  const { base } = here;
  const members = membersOf(work, here);
  const spawns = (work.spawns ?? []).flatMap((name) => namedAgent(name, here)?.id ?? []);
  const tasks = tasksOf(work, here);
  const maxTurns = work.maxTurns ?? DEFAULT_WORK_TURNS;
  const parts = partsOf({ agents: [...new Set([...members.map(({ agent }) => agent), ...spawns])], maxTurns }, here);
  checkTeam(work, here);
  if (Array.isArray(work.tasks)) checkTasks(work, work.tasks, here);
  if (!tasks) return undefined;
  const { worktree: _written, ...unplaced } = base;
  const taskBudget = taskBudgetOf(work, here);
  const step: BoardStep = {
    ...unplaced,
    ...isolationOf(work, here),
    kind: 'board',
    ...{ parts, members, tasks, maxTurns },
    team: work.team?.value ?? base.id,
    spawns: [...new Set(spawns)],
    mostMembers: work.mostMembers ?? DEFAULT_MEMBERS,
    idleMs: work.idleTimeoutMs ?? DEFAULT_IDLE_MS,
    shutdownMs: work.shutdownTimeoutMs ?? DEFAULT_SHUTDOWN_MS,
    attempts: work.attempts ?? DEFAULT_ATTEMPTS,
    until: work.until ?? 'idle',
    ...defined({ taskBudget }),
  };
  return { step };
}

function taskBudgetOf({ taskBudget }: BoardSource, { base, place, context }: StepContext): BudgetSpec | undefined {
  if (!taskBudget) return undefined;
  const value = budgetOf(taskBudget);
  const at = keyOf(place.step, 'task_budget') ?? place.step.at;
  const { budget } = context.pipeline;
  if (base.budget) checkWithin({ of: 'a task', value, at }, { of: 'step', value: base.budget }, context);
  else if (budget) checkWithin({ of: 'a task', value, at }, { of: 'run', value: budgetOf(budget) }, context);
  return value;
}

function membersOf({ lead, members = [] }: BoardSource, here: StepContext): PlannedMember[] {
  const asks = lead?.agent && leadOf(lead.agent, here);
  const first: PlannedMember[] = asks ? [{ name: LEAD, agent: asks, isLead: true, ...promptOf(lead?.prompt, LEAD, here) }] : [];
  const others = members.flatMap(({ name, agent, role, prompt }): PlannedMember[] => {
    const runsAs = agent && namedAgent(agent, here)?.id;
    const told = promptOf(prompt, name?.value ?? '', here);
    return name && runsAs ? [{ name: name.value, agent: runsAs, ...defined({ role: role?.value }), ...told }] : [];
  });
  return [...first, ...others];
}

/** A program answers once, at the end of its work: it could neither spawn members nor answer them. */
function leadOf(named: Located<string>, here: StepContext): string | undefined {
  const agent = namedAgent(named, here);
  const program = agent && programOf(agent, here.context);
  if (program === undefined) return agent?.id;
  const message = `agent "${named.value}" cannot lead "${here.place.step.id}": the program "${program}" runs it, and has no tools of a board`;
  here.context.report(
    'board.lead-is-program',
    named.at,
    message,
    'name an agent of a model service, or leave out `lead:`: then a person leads',
  );
  return agent?.id;
}

function promptOf(syntax: TemplateSyntax | undefined, member: string, here: StepContext): Pick<PlannedMember, 'prompt'> {
  return defined({ prompt: stored(syntax, `${member}.prompt`, here) });
}

/** Activities render it, so it is kept by its digest. */
function stored(syntax: TemplateSyntax | undefined, name: string, { base, context, template }: StepContext): Sha256 | undefined {
  const found = template(syntax);
  return found && context.blobs.add(found, `${base.id}.${name}.json`);
}

function tasksOf({ tasks = [], until }: BoardSource, here: StepContext): BoardStep['tasks'] | undefined {
  if (!Array.isArray(tasks)) return listedBy(tasks, here);
  // A later run of a team has other numbers.
  const nameAt = (ref: string): string => (until === 'stopped' ? tasks[(numberIn(ref) ?? 0) - 1]?.name?.value : undefined) ?? ref;
  return { list: tasks.flatMap((task, i) => taskOf(task, i + 1, nameAt, here) ?? []) };
}

function taskOf(
  { name, subject, description, blockedBy = [], requiredRole, priority, worktree }: TaskSource,
  number: number,
  nameAt: (ref: string) => string,
  here: StepContext,
) {
  const text = stored(description, `task-${number}`, here);
  const names = blockedBy.map(({ value }) => nameAt(value));
  const task: PlannedTask | undefined = subject && {
    subject: subject.value,
    ...defined({
      name: name?.value,
      description: text,
      blockedBy: names.length > 0 ? names : undefined,
      requiredRole: requiredRole?.value,
      priority,
      worktree: typeof worktree === 'object' ? worktree.value : worktree,
    }),
  };
  return task;
}

/** An activity evaluates the list: what its expression names travels by reference. */
function listedBy(written: Syntax, { place, context, templates }: StepContext): BoardStep['tasks'] | undefined {
  const names = namesInScope(context, place);
  const from = resolve(written, names, context.report);
  if (!from) return undefined;
  templates.push([from]);
  const problem = notAList(from, names, context.pipeline.args);
  if (problem) {
    const message = `"tasks" of step "${place.step.id}" needs a list of tasks, not ${problem.what}`;
    context.report('expression.not-a-list', written.at, message, problem.hint);
  }
  return { from };
}
