import { ThermidorFailure } from '../../../plan/run/failure';
import { field, isJsonObject, type Json, type JsonObject } from '../../../plan/text/json';
import { parseUntrustedJson } from '../../../plan/text/untrusted-json';

/**
 * The increments of a plan (docs/patterns.md, CP-6): the layers of its tasks by their dependencies.
 *
 * Invariants: 1. every task is in one increment, and after the increments of all its dependencies; 2. it is in the first that 1 allows; 3.
 * within an increment tasks are in the order of the plan, which changes nothing else; 4. no increment is empty.
 */

export const MOST_TASKS = 1000;
const MOST_ID = 200;

/** What control knows of a task. */
export type PlannedTask = { id: string; depends_on: string[] };
export type PlannedIncrement = { id: string; tasks: PlannedTask[] };

/** The fields of the increments that control reads. */
export type IncrementsValues = { increments: PlannedIncrement[] };

/** With the tasks as planned. */
export type IncrementsResult = { increments: { id: string; tasks: JsonObject[] }[] };

/** The increments of a plan's output. Fails with `increments.plan` if that is no list of tasks, and with `increments.cycle`. */
export function divideIntoIncrements(plan: Json): { result: IncrementsResult; values: IncrementsValues } {
  const written = tasksIn(plan);
  const known = new Map(written.map((task) => [textIn(task, 'id'), task]));
  const tasks = written.map((task) => ({ id: textIn(task, 'id'), depends_on: dependsOn(task) }));
  const increments = layersOf(tasks).map((layer, i) => ({ id: `INCREMENT-${i + 1}`, tasks: layer }));
  return {
    result: { increments: increments.map(({ id, tasks: own }) => ({ id, tasks: own.map((task) => known.get(task.id) ?? { ...task }) })) },
    values: { increments },
  };
}

/** Undefined if it can be delivered. */
export function whyUndeliverable(plan: Json): string | undefined {
  try {
    divideIntoIncrements(plan);
  } catch (error) {
    if (error instanceof ThermidorFailure) return error.message.replace(UNUSABLE, '');
    throw error;
  }
  return undefined;
}

const UNUSABLE = 'the plan cannot be delivered in increments: ';

/**
 * Fails with `increments.plan` if an id is used twice, a dependency does not exist, or there are no tasks; with `increments.cycle`, naming
 * the cycle.
 */
export function layersOf(tasks: readonly PlannedTask[]): PlannedTask[][] {
  checkTasks(tasks);
  const waits = new Map(tasks.map(({ id, depends_on }) => [id, new Set(depends_on).size]));
  const behind = new Map<string, PlannedTask[]>();
  for (const task of tasks) for (const id of new Set(task.depends_on)) behind.set(id, [...(behind.get(id) ?? []), task]);
  const at = new Map(tasks.map((task, i) => [task.id, i]));
  const layers: PlannedTask[][] = [];
  let layer = tasks.filter(({ id }) => waits.get(id) === 0);
  while (layer.length > 0) {
    layers.push(layer);
    const next: PlannedTask[] = [];
    for (const task of layer.flatMap(({ id }) => behind.get(id) ?? [])) {
      const left = (waits.get(task.id) ?? 0) - 1;
      waits.set(task.id, left);
      if (left === 0) next.push(task);
    }
    layer = next.sort((a, b) => (at.get(a.id) ?? 0) - (at.get(b.id) ?? 0));
  }
  const stuck = tasks.filter(({ id }) => (waits.get(id) ?? 0) > 0);
  if (stuck.length > 0) throw new ThermidorFailure('increments.cycle', `tasks wait for each other: ${cycleIn(stuck).join(' → ')}`);
  return layers;
}

function checkTasks(tasks: readonly PlannedTask[]): void {
  if (tasks.length === 0) throw unusable('it has no tasks');
  if (tasks.length > MOST_TASKS) throw unusable(`it has ${tasks.length} tasks, of at most ${MOST_TASKS}`);
  const ids = new Set<string>();
  for (const { id } of tasks) {
    if (ids.has(id)) throw unusable(`two of its tasks are called "${id}"`);
    ids.add(id);
  }
  for (const { id, depends_on } of tasks) {
    const unknown = depends_on.find((other) => !ids.has(other));
    if (unknown !== undefined) throw unusable(`task "${id}" depends on "${unknown}", which it does not have`);
  }
}

/** Every one of them waits for another of them, so following that leads into a cycle. */
function cycleIn(stuck: readonly PlannedTask[]): string[] {
  const known = new Map(stuck.map((task) => [task.id, task]));
  const way: string[] = [];
  for (let id = stuck[0]?.id ?? ''; ; id = known.get(id)?.depends_on.find((other) => known.has(other)) ?? '') {
    const before = way.indexOf(id);
    way.push(id);
    if (before >= 0 || id === '') return way.slice(Math.max(before, 0));
  }
}

/** A plan that has gone through a proposal may be the text of its JSON. */
function tasksIn(written: Json): JsonObject[] {
  const plan = typeof written === 'string' ? (parseUntrustedJson(written) ?? written) : written;
  const list = Array.isArray(plan) ? plan : field(plan, 'tasks');
  if (!Array.isArray(list)) throw unusable('it is not a list of tasks');
  return list.map((task, i) => {
    if (!isJsonObject(task)) throw unusable(`task ${i + 1} is not an object such as {"id": "api", "title": "…", "depends_on": []}`);
    const id = field(task, 'id');
    if (typeof id !== 'string' || id.trim() === '') throw unusable(`task ${i + 1} has no "id"`);
    if (id.length > MOST_ID) throw unusable(`the id of task ${i + 1} has ${id.length} characters, of at most ${MOST_ID}`);
    return task;
  });
}

function dependsOn(task: JsonObject): string[] {
  const written = field(task, 'depends_on') ?? [];
  const list = Array.isArray(written) ? written : [written];
  return list.map((id) => {
    if (typeof id === 'string') return id;
    throw unusable(`"depends_on" of task "${textIn(task, 'id')}" is not a list of ids`);
  });
}

function textIn(task: JsonObject, key: string): string {
  const value = field(task, key);
  return typeof value === 'string' ? value : '';
}

function unusable(problem: string): ThermidorFailure {
  return new ThermidorFailure('increments.plan', `${UNUSABLE}${problem}`);
}
