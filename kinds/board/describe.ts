import { describeBudget } from '../../plan/budgets/budget-words';
import { defined } from '../../plan/defined';
import { isTemplate } from '../../plan/expressions/expression';
import { depthsOf } from '../../plan/graph/depths';
import type { Graph, GraphEdge } from '../../plan/graph/graph-model';
import type { Sha256 } from '../../plan/run/artifact';
import type { StepView } from '../../plan/run/status';
import type { Description, Fact, Words } from '../../plan/steps/description';
import { fact, stepLabel } from '../../plan/steps/description-parts';
import type { BoardStep } from '../../plan/steps/step';
import { duration } from '../../plan/text/duration';
import type { PlannedMember, PlannedTask } from './model';
import { BOARD_VIEW } from './view';

export interface ShownBoard
  extends Pick<
    BoardStep,
    'team' | 'spawns' | 'mostMembers' | 'idleMs' | 'shutdownMs' | 'maxTurns' | 'attempts' | 'taskBudget' | 'until' | 'worktrees' | 'lands'
  > {
  kind: 'board';
  members: PlannedMember[];
  /** The list, or the expression that gives it. */
  tasks: PlannedTask[] | string;
}

export const BOARD_DESCRIPTION: Description<BoardStep, ShownBoard> = {
  data: ({ members, tasks, team, spawns, mostMembers, idleMs, shutdownMs, maxTurns, attempts, until, ...step }, words) => ({
    kind: 'board',
    ...{ team, spawns, mostMembers, idleMs, shutdownMs, maxTurns, attempts, until },
    ...defined({ taskBudget: step.taskBudget, worktrees: step.worktrees, lands: step.lands }),
    members: members.map(({ prompt, ...member }) => ({ ...member, ...defined({ prompt: textOf(prompt, words) }) })),
    tasks:
      'from' in tasks
        ? words.expression(tasks.from)
        : tasks.list.map(({ description, ...task }) => ({ ...task, ...defined({ description: textOf(description, words) }) })),
  }),
  line: ({ members, tasks }) => [whoWorks(members), ...howMany(tasks)].join(', '),
  facts: ({ team, members, spawns, tasks, mostMembers, idleMs, shutdownMs, maxTurns, attempts, taskBudget, until, worktrees, lands }) => [
    ...fact('team', team),
    ...members.flatMap(memberFacts),
    ...fact('spawns', spawns.join(', ')),
    ...(typeof tasks === 'string' ? fact('tasks', tasks) : tasks.map(taskFact)),
    ...fact('worktrees', worktrees && 'one for each task'),
    ...fact('lands in', lands && (lands.test === undefined ? lands.into : `${lands.into}, tested by ${lands.test}`)),
    ...fact('strategy', lands?.strategy),
    ...fact('limits', `${mostMembers} members, ${maxTurns} replies in a row, ${attempts} attempts at a task`),
    ...fact('budget of a task', taskBudget && describeBudget(taskBudget)),
    ...fact('waits', [...idleWait(until, idleMs), `${duration(shutdownMs)} for an answer to a request to shut down`].join(', ')),
    ...fact('ends', ENDS[until]),
  ],
  label: ({ members }) => stepLabel([whoWorks(members)]),
  inside: (_, id, { view }) => drawTasks(id, view),
  shape: 'frame',
  frame: 'board',
};

const ENDS: Readonly<Record<BoardStep['until'], string>> = {
  idle: 'when all members have shut down',
  all_done: 'when all tasks are done',
  stopped: 'when somebody stops the team',
};

/** In a standing team a member without work stays. */
function idleWait(until: BoardStep['until'], idleMs: number): string[] {
  return until === 'stopped' ? [] : [`${duration(idleMs)} for work`];
}

function textOf(sha256: Sha256 | undefined, words: Words): string | undefined {
  const template = sha256 === undefined ? undefined : words.blob(sha256);
  return isTemplate(template) ? words.readable(template) : undefined;
}

/** `alice and bob claim tasks, led by chief`. */
function whoWorks(members: readonly Pick<PlannedMember, 'name' | 'agent' | 'isLead'>[]): string {
  const lead = members.find(({ isLead }) => isLead);
  const names = members.filter(({ isLead }) => !isLead).map(({ name }) => name);
  const last = names.pop();
  const claiming =
    last === undefined
      ? 'members that are spawned claim tasks'
      : `${[...(names.length > 0 ? [names.join(', ')] : []), last].join(' and ')} ${names.length > 0 ? 'claim' : 'claims'} tasks`;
  return lead ? `${claiming}, led by ${lead.agent}` : claiming;
}

function howMany(tasks: ShownBoard['tasks']): string[] {
  if (typeof tasks === 'string' || tasks.length === 0) return [];
  return [`${tasks.length} ${tasks.length === 1 ? 'task' : 'tasks'} at the beginning`];
}

function memberFacts({ name, agent, role, prompt }: PlannedMember): Fact[] {
  return [...fact(name, role === undefined ? `agent ${agent}` : `${role}, agent ${agent}`), ...fact(`prompt of ${name}`, prompt)];
}

/** `#2 parser: Write the parser (after lexer, for the role coder)`, and below it what is to be done. */
function taskFact({ name, subject, description, blockedBy, requiredRole, priority, worktree }: PlannedTask, i: number): Fact {
  const about = [
    ...(blockedBy ? [`after ${blockedBy.join(', ')}`] : []),
    ...(requiredRole === undefined ? [] : [`for the role ${requiredRole}`]),
    ...(priority === undefined ? [] : [`priority ${priority}`]),
    ...(worktree === undefined ? [] : [worktree === false ? 'no worktree' : worktree === true ? 'worktree' : `worktree ${worktree}`]),
  ];
  const line = about.length > 0 ? `${subject} (${about.join(', ')})` : subject;
  return {
    name: name === undefined ? `#${i + 1}` : `#${i + 1} ${name}`,
    text: description === undefined ? line : `${line}\n${description}`,
  };
}

/** The tasks of a board that a run has: they come and go while it runs. `id`: that of the step in the picture. */
function drawTasks(id: string, view: StepView | undefined): Pick<Graph, 'nodes' | 'edges'> {
  const { board } = view ?? {};
  if (!view || !board) return { nodes: [], edges: [] };
  const items = BOARD_VIEW.items?.(board, view.state) ?? [];
  const waits = new Map(board.tasks.map(({ number, blockedBy }) => [`#${number}`, blockedBy.map((before) => `#${before}`)]));
  const depths = depthsOf(waits);
  const idOf = (task: string): string => `${id}/${task}`;
  return {
    nodes: items.map(({ id: task, words, state, by }) => ({
      ...{ id: idOf(task), name: task, kind: 'task', conditional: false, state, depth: depths.get(task) ?? 0 },
      label: by === undefined ? words : `${by}: ${words}`,
    })),
    edges: [...waits].flatMap(([task, before]) =>
      before.flatMap((one): GraphEdge[] => (waits.has(one) ? [{ from: idOf(one), to: idOf(task), kind: 'order' }] : [])),
    ),
  };
}
