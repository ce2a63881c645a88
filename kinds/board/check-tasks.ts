import { circlesIn } from '../../compiler/block-order';
import type { Located } from '../../compiler/diagnostics/diagnostic';
import { didYouMean, listWords } from '../../compiler/diagnostics/suggest';
import type { StepContext } from '../../compiler/lower/step-context';
import { entryOf } from '../../compiler/read/node';
import { numberIn, subjectProblem, TASK_NAME } from '../../plan/board/task';
import type { BoardSource, TaskSource } from './source';

/** Whether each task of the list can be claimed by somebody, some time. A run asks the same of tasks that come later. */
export function checkTasks({ members = [], until }: BoardSource, tasks: readonly TaskSource[], here: StepContext): void {
  checkOrder(tasks, placesByName(tasks, here), here);
  const goesOn = until === 'stopped';
  if (goesOn) checkNamed(tasks, here);
  const roles = new Set(members.flatMap(({ role }) => (role ? [role.value] : [])));
  for (const { subject, requiredRole } of tasks) {
    if (subject) checkSubject(subject, here);
    // Somebody with the role may join a standing team.
    if (requiredRole && !goesOn) checkRole(requiredRole, roles, here);
  }
}

/** The next run of a team adds what its board does not know, and knows tasks by their names. */
function checkNamed(tasks: readonly TaskSource[], { context: { report } }: StepContext): void {
  for (const { node, name } of tasks) {
    if (name || entryOf(node, 'name')) continue;
    const hint = 'add `name:`: when the team starts again, only tasks with names that its board does not know are added';
    report('board.unnamed-task', node.entries[0]?.keyAt ?? node.at, 'a task of a standing team needs a "name"', hint);
  }
}

/** The place of each name in the list, from 0. */
function placesByName(tasks: readonly TaskSource[], { place, context: { report } }: StepContext): Map<string, number> {
  const found = new Map<string, number>();
  for (const [i, { name }] of tasks.entries()) {
    if (!name) continue;
    const { value, at } = name;
    if (found.has(value))
      report('board.same-task', at, `two tasks of "${place.step.id}" are called "${value}"`, 'give one of them another name');
    else if (TASK_NAME.test(value)) found.set(value, i);
    else report('names.invalid', at, `"${value}" is not a valid name for a task`, 'names have 1 to 80 characters, and are no numbers');
  }
  return found;
}

/** A board gives the tasks of its list numbers from 1. */
function checkOrder(tasks: readonly TaskSource[], places: ReadonlyMap<string, number>, { place, context: { report } }: StepContext): void {
  const called = (i: number): string => tasks[i]?.name?.value ?? `#${i + 1}`;
  const placeOf = (ref: string): number | undefined => {
    const i = places.get(ref) ?? (numberIn(ref) ?? 0) - 1;
    return tasks[i] && i;
  };
  const before = tasks.map(({ blockedBy = [] }, i) =>
    blockedBy.flatMap(({ value, at }) => {
      const blocker = placeOf(value);
      if (blocker === undefined) {
        const hint = () => didYouMean(value, places.keys(), 'it takes names of tasks of this list; add `name:` to the task');
        report('board.unknown-task', at, `a task of "${place.step.id}" is blocked by "${value}", which is not on the board`, hint);
        return [];
      }
      if (blocker !== i) return [blocker];
      report('board.cycle', at, `task "${called(i)}" is blocked by itself`, 'remove it from `blocked_by`');
      return [];
    }),
  );
  for (const [first = 0, ...others] of circlesIn(before)) {
    const circle = [first, ...others, first];
    const at = tasks[first]?.blockedBy?.find(({ value }) => placeOf(value) === circle[1])?.at ?? place.step.at;
    report('board.cycle', at, `tasks block each other: ${circle.map(called).join(' → ')}`, 'remove one of the names from `blocked_by`');
  }
}

function checkSubject({ value, at }: Located<string>, { context: { report } }: StepContext): void {
  const wrong = subjectProblem(value.trim());
  if (wrong) report('board.bad-subject', at, `the subject of a task ${wrong.problem}`, wrong.hint);
}

function checkRole({ value, at }: Located<string>, roles: ReadonlySet<string>, { context: { report } }: StepContext): void {
  if (roles.has(value)) return;
  const known = roles.size === 0 ? 'no member has a role' : `the members have ${listWords([...roles])}`;
  const hint = () => didYouMean(value, roles, `give a member \`role: ${value}\`: ${known}`);
  report('board.unknown-role', at, `nobody may claim a task that requires the role "${value}": no member has it`, hint);
}
