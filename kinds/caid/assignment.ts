import { defined, unlessEmpty } from '../../plan/defined';
import type { Assignment } from './rules/assignment';
import { joinUnits } from './rules/mend-graph';
import { type OwnedPath, ownedByOthers, restrictedFor } from './rules/restricted';
import type { GraphUnit } from './rules/task-graph';
import { taskOf } from './state';
import { isShared, stateOf, type Team, whoHas } from './team';

/** A task as its engineer has to do it, including the tasks done within it. */
export function unitOf(team: Team, id: string): GraphUnit {
  const members = membersOf(team, id);
  return joinUnits(
    team.graph.units.filter((unit) => members.includes(unit.id)).sort((a, b) => members.indexOf(a.id) - members.indexOf(b.id)),
  );
}

function membersOf(team: Team, id: string): string[] {
  return [id, ...(taskOf(stateOf(team), id).holds ?? [])];
}

/** The files that a task may not touch because other tasks own them, merged or not. In one checkout a candidate has everybody's work. */
export function othersFiles(team: Team, id: string): OwnedPath[] {
  return isShared(team) ? [] : filesOfOthers(team, id);
}

function filesOfOthers(team: Team, id: string): OwnedPath[] {
  return ownedByOthers(team.graph.units, membersOf(team, id), unitOf(team, id).files);
}

/** `base`: the commit of the target on which the work builds. */
export function assignmentOf(team: Team, id: string, base: string): Assignment {
  const { graph, place } = team;
  const state = stateOf(team);
  const { waitsFor, returned, commit } = taskOf(state, id);
  const { engineer, attempt } = whoHas(team, id);
  const { title, description, files, functions = [], acceptance = {} } = unitOf(team, id);
  const others = state.tasks
    .filter((task) => task.stage === 'working' && task.id !== id)
    .map((task) => ({ task_id: task.id, target_files: task.files }));
  const liftedBy = isShared(team) ? graph.units.flatMap((unit) => unit.files) : files;
  return {
    ...{ task_id: id, engineer_id: engineer, title, description, target_files: files, functions, dependencies: [...waitsFor], acceptance },
    restricted_files: restrictedFor(liftedBy, { step: place.step.restricted, manager: graph.restricted ?? [] }, othersFiles(team, id)),
    base_commit: base,
    attempt,
    ...defined({
      default_test: place.step.testEach,
      earlier_commit: commit,
      returned,
      others: unlessEmpty(others),
      owned_by_others: isShared(team) ? byTask(filesOfOthers(team, id)) : undefined,
    }),
  };
}

function byTask(owned: readonly OwnedPath[]): { task_id: string; target_files: string[] }[] {
  const found = new Map<string, string[]>();
  for (const { path, unit } of owned) found.set(unit, [...(found.get(unit) ?? []), path]);
  return [...found].map(([task_id, target_files]) => ({ task_id, target_files }));
}
