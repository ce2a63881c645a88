import { defined } from '../../plan/defined';
import type { ArtifactRef } from '../../plan/run/artifact';
import { bug } from '../../plan/run/failure';
import type { JournalEvent, TeamWord } from '../../plan/run/journal';
import type { ControlStep } from '../../plan/steps/control';
import type { Json } from '../../plan/text/json';
import { unreachable } from '../../plan/unreachable';
import type { StepContext } from '../../workflows/interpreter/context/step-context';
import type { Interpreter } from '../../workflows/interpreter/interpreter';
import { partOf as partNamed, partPath as pathOfPart, stored as storeValue } from '../../workflows/interpreter/patterns/parts';
import type { PlaceOf } from '../../workflows/interpreter/scheduling/place';
import { openKindState } from '../../workflows/interpreter/state/kind-state';
import { handle } from './machine/machine';
import type { TeamDecision, TeamEvent } from './machine/team-events';
import type { CaidPart } from './model';
import type { Returned } from './rules/assignment';
import type { TaskGraph } from './rules/task-graph';
import { engineerName, type TaskState, type TeamState, taskOf } from './state';

/** The shared state of a team's work: the step, the agreed graph, and the machine with its decisions' effects. */
export interface Team {
  it: Interpreter;
  place: PlaceOf<'caid'>;
  graph: TaskGraph;
  /** The commit from which the manager began. */
  base: string;
}

export type TeamStep = Pick<Team, 'it' | 'place'>;

export function stateOf({ it, place }: TeamStep): TeamState {
  const { team } = openKindState(it.run.record(place.path), 'caid');
  if (!team) throw bug(`${it.run.name(place.path)} has no team yet`);
  return team;
}

/** Synchronous: the machine, the journal and the wakes are one step. */
export function tell(team: TeamStep, event: TeamEvent): void {
  const state = stateOf(team);
  const before = state.tasks.map(whereItIs);
  const decisions = handle(state, event);
  const since = new Date(team.it.run.ctx.now()).toISOString();
  for (const [at, task] of state.tasks.entries()) if (whereItIs(task) !== before[at]) task.since = since;
  for (const decision of decisions) follow(team, state, decision);
  team.it.changed();
}

function whereItIs({ stage, attempt, returned }: TaskState): string {
  return `${stage} ${attempt} ${returned?.reason}`;
}

function follow(team: TeamStep, state: TeamState, decision: TeamDecision): void {
  switch (decision.kind) {
    case 'assign': {
      const { task, engineer, attempt } = decision;
      note(team, 'assigned', { task, engineer, attempt, ...defined({ turn: taskOf(state, task).number }) });
      wakeTask(team, task);
      return;
    }
    case 'ask':
      note(team, 'asked', { task: decision.task });
      wakeTask(team, decision.task);
      return;
    case 'join':
      note(team, 'joined', { task: decision.task, reason: `one engineer does ${[decision.task, ...decision.held].join(', ')}` });
      for (const id of decision.held) wakeTask(team, id);
      return;
    case 'over':
      note(team, 'over', { reason: state.over ?? '' });
      for (const { id } of state.tasks) wakeTask(team, id);
      return;
    default:
      unreachable(decision);
  }
}

type Noted = Omit<Extract<JournalEvent, { kind: 'team' }>, 'kind' | 'step' | 'event'>;

export function note({ it, place }: TeamStep, event: TeamWord, about: Noted): void {
  it.run.journal.add({ kind: 'team', step: it.run.name(place.path), event, ...about });
}

/** Who has a task, and the number of the assignment. */
export function whoHas(team: TeamStep, id: string): { engineer: string; attempt: number } {
  const { author = 0, attempt } = taskOf(stateOf(team), id);
  return { engineer: engineerName(author), attempt };
}

export function noteReturned(team: TeamStep, id: string, { reason, message }: Returned): void {
  note(team, 'returned', { task: id, ...whoHas(team, id), reason: `${reason}: ${message}` });
}

/** A candidate, or an attempt without one, goes back. */
export function comesBack(team: TeamStep, id: string, returned: Returned): void {
  noteReturned(team, id, returned);
  tell(team, { kind: 'returned', task: id, returned });
}

export function taskSleeper({ place }: TeamStep, id: string): string {
  return `caid:${place.path}:${id}`;
}

function wakeTask(team: TeamStep, id: string): void {
  team.it.run.wake(taskSleeper(team, id));
}

/** All engineers work in one checkout, at the same time. */
export function isShared({ place }: Pick<TeamStep, 'place'>): boolean {
  return place.step.isolation === 'shared';
}

export function partOf({ it, place }: TeamStep, part: CaidPart): ControlStep {
  return partNamed(it, place, part);
}

export function partPath({ place }: TeamStep, part: CaidPart, turn: number): string {
  return pathOfPart(place, part, turn);
}

/** Stores a value that a part is given. */
export function stored({ it, place }: TeamStep, ctx: StepContext, as: string, value: () => Json): Promise<ArtifactRef> {
  return storeValue(it, place, ctx, as, value);
}
