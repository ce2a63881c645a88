import type { Assignment } from '../../plan/caid/assignment';
import { joinUnits } from '../../plan/caid/mend-graph';
import { type OwnedPath, ownedByOthers, restrictedFor } from '../../plan/caid/restricted';
import type { GraphUnit } from '../../plan/caid/task-graph';
import { defined } from '../../plan/defined';
import { taskOf } from '../../workflows/interpreter/caid/team-state';
import { stateOf, type Team, whoHas } from './team';

/** A task as its engineer has to do it, with all that is done within it. */
export function unitOf(team: Team, id: string): GraphUnit {
  const members = membersOf(team, id);
  return joinUnits(
    team.graph.units.filter((unit) => members.includes(unit.id)).sort((a, b) => members.indexOf(a.id) - members.indexOf(b.id)),
  );
}

function membersOf(team: Team, id: string): string[] {
  return [id, ...(taskOf(stateOf(team), id).holds ?? [])];
}

/** The files that a task may not touch because they are those of others, whether these are merged or not. */
export function othersFiles(team: Team, id: string): OwnedPath[] {
  return ownedByOthers(team.graph.units, membersOf(team, id), unitOf(team, id).files);
}

export function assignmentOf(team: Team, id: string): Assignment {
  const { graph, place } = team;
  const state = stateOf(team);
  const { waitsFor, returned, commit } = taskOf(state, id);
  const { engineer, attempt } = whoHas(team, id);
  const { title, description, files, functions = [], acceptance = {} } = unitOf(team, id);
  const others = state.tasks
    .filter((task) => task.stage === 'working' && task.id !== id)
    .map((task) => ({ task_id: task.id, target_files: task.files }));
  return {
    ...{ task_id: id, engineer_id: engineer, title, description, target_files: files, functions, dependencies: [...waitsFor], acceptance },
    restricted_files: restrictedFor(files, { step: place.step.restricted, manager: graph.restricted ?? [] }, othersFiles(team, id)),
    base_commit: state.head,
    attempt,
    ...defined({ earlier_commit: commit, returned }),
    ...(others.length > 0 ? { others } : {}),
  };
}
