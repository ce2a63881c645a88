import { circlesIn } from '../../compiler/block-order';
import type { Located } from '../../compiler/diagnostics/diagnostic';
import { didYouMean, listWords } from '../../compiler/diagnostics/suggest';
import type { StepContext } from '../../compiler/lower/step-context';
import { checkName } from '../../compiler/shape/names';
import { SUBJECT_CHARACTERS } from '../../plan/board/task';
import type { BoardSource, TaskSource } from './source';

/** Whether each task of the list can be claimed by somebody, some time. */
export function checkTasks({ members = [], spawns = [] }: BoardSource, tasks: readonly TaskSource[], here: StepContext): void {
  const numbers = numbersByName(tasks, here);
  checkOrder(tasks, numbers, here);
  const roles = new Set(members.flatMap(({ role }) => (role ? [role.value] : [])));
  for (const { subject, requiredRole } of tasks) {
    if (subject) checkSubject(subject, here);
    // A lead may spawn a member with any role.
    if (requiredRole && members.length > 0 && spawns.length === 0) checkRole(requiredRole, roles, here);
  }
}

/** The place of each name in the list, from 0. */
function numbersByName(tasks: readonly TaskSource[], { place, context: { report } }: StepContext): Map<string, number> {
  const found = new Map<string, number>();
  for (const [i, { name }] of tasks.entries()) {
    if (!name) continue;
    const { value, at } = name;
    if (found.has(value))
      report('board.same-task', at, `two tasks of "${place.step.id}" are called "${value}"`, 'give one of them another name');
    else if (checkName(name, 'task', report)) found.set(value, i);
  }
  return found;
}

function checkOrder(tasks: readonly TaskSource[], numbers: ReadonlyMap<string, number>, { place, context: { report } }: StepContext): void {
  const before = tasks.map(({ blockedBy = [], name }, i) =>
    blockedBy.flatMap(({ value, at }) => {
      const blocker = numbers.get(value);
      if (blocker === undefined) {
        const hint = () => didYouMean(value, numbers.keys(), 'it takes names of tasks of this list; add `name:` to the task');
        report('board.unknown-task', at, `a task of "${place.step.id}" is blocked by "${value}", which is not on the board`, hint);
        return [];
      }
      if (blocker !== i) return [blocker];
      report('board.cycle', at, `task "${name?.value}" is blocked by itself`, 'remove it from `blocked_by`');
      return [];
    }),
  );
  for (const [first = 0, ...others] of circlesIn(before)) {
    const names = [first, ...others, first].map((i) => tasks[i]?.name?.value ?? '');
    const at = tasks[first]?.blockedBy?.find(({ value }) => value === names[1])?.at ?? place.step.at;
    report('board.cycle', at, `tasks block each other: ${names.join(' → ')}`, 'remove one of the names from `blocked_by`');
  }
}

function checkSubject({ value, at }: Located<string>, { context: { report } }: StepContext): void {
  if (value.length > SUBJECT_CHARACTERS) {
    const message = `the subject of a task has ${value.length} characters; at most ${SUBJECT_CHARACTERS} are allowed`;
    report('board.bad-subject', at, message, 'put the rest into its `description`');
  } else if (value.trim().includes('\n'))
    report('board.bad-subject', at, 'the subject of a task has several lines', 'put what follows the first into its `description`');
}

function checkRole({ value, at }: Located<string>, roles: ReadonlySet<string>, { context: { report } }: StepContext): void {
  if (roles.has(value)) return;
  const known = roles.size === 0 ? 'no member has a role' : `the members have ${listWords([...roles])}`;
  const hint = () => didYouMean(value, roles, `give a member \`role: ${value}\`: ${known}`);
  report('board.unknown-role', at, `nobody may claim a task that requires the role "${value}": no member has it`, hint);
}
