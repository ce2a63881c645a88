import { defined } from '../defined';
import { field, isJsonObject, type Json, type JsonObject } from '../text/json';
import { DESCRIPTION_BYTES, type NewTask, numberIn, subjectProblem, type TaskRef, WORKTREE_LABEL } from './task';

/** Tasks as planners and people write them: keys in snake case or camel case, what they wait for by number or name. */

/** A task whose description is not in the store yet. */
export type ReadTask = Omit<NewTask, 'description'> & { description?: string };

export const TASK_KEYS = ['subject', 'title', 'description', 'name', 'id', 'blocked_by', 'required_role', 'priority', 'worktree'] as const;
export const TASK_KEYS_IN_CAMEL_CASE = ['blockedBy', 'requiredRole'] as const;
const KNOWN: ReadonlySet<string> = new Set([...TASK_KEYS, ...TASK_KEYS_IN_CAMEL_CASE]);

/** A blocker, a role or a worktree under a key of another name must not be lost in silence. */
export function refuseOtherKeys(item: Json, at: string, problems: string[]): void {
  if (!isJsonObject(item)) return;
  for (const key of Object.keys(item).filter((one) => !KNOWN.has(one)))
    problems.push(`${at} has an unknown key ${JSON.stringify(key)}; a task has ${TASK_KEYS.join(', ')}`);
}

/** The numbers that a list itself gives to its tasks. */
export function numbersIn(list: readonly Json[]): ReadonlySet<number> {
  return new Set(list.flatMap((item) => numberIn(nameIn(item)) ?? []));
}

/**
 * Reads one as somebody has written it. What is wrong goes into `problems`, each with its place.
 *
 * @param at the place of the task, such as `tasks[2]`; empty for one by itself
 * @param numbers those that its list gives to its tasks: others are those of the board
 */
export function readTask(item: Json, at: string, numbers: ReadonlySet<number>, problems: string[]): ReadTask {
  if (!isJsonObject(item)) {
    problems.push(`${at} is ${typeName(item)}, not a mapping with a subject`);
    return { subject: '' };
  }
  const subject = textAt(item, at, ['subject', 'title'], problems);
  const oneLine = subject?.trim() ?? '';
  const wrong = subjectProblem(oneLine);
  if (wrong) problems.push(`${within(at, 'subject')} ${wrong.problem}: ${wrong.hint}`);
  const description = textAt(item, at, ['description'], problems);
  if (description !== undefined && bytesOf(description) > DESCRIPTION_BYTES)
    problems.push(`${within(at, 'description')} is larger than ${DESCRIPTION_BYTES / 1024} KiB: store it, and name it in the description`);
  return {
    subject: oneLine,
    ...defined({
      name: nameAt(item, at, problems),
      description,
      blockedBy: blockersAt(item, at, numbers, problems),
      requiredRole: textAt(item, at, ['required_role', 'requiredRole'], problems),
      priority: priorityAt(item, at, problems),
      worktree: worktreeAt(item, at, problems),
    }),
  };
}

function textAt(item: JsonObject, at: string, keys: readonly string[], problems: string[]): string | undefined {
  const key = keys.find((one) => item[one] !== undefined && item[one] !== null);
  const value = key === undefined ? undefined : item[key];
  if (value === undefined || typeof value === 'string') return value;
  problems.push(`${within(at, key ?? '')} is ${typeName(value ?? null)}, not a text`);
  return undefined;
}

function nameIn(item: Json): Json | undefined {
  return field(item, 'name') ?? field(item, 'id') ?? undefined;
}

/** A planner numbers its tasks as often as it names them; the board has numbers of its own. */
function nameAt(item: JsonObject, at: string, problems: string[]): string | undefined {
  const number = numberIn(nameIn(item));
  return number === undefined ? textAt(item, at, ['name', 'id'], problems)?.trim() : nameOf(number);
}

function nameOf(number: number): string {
  return `task-${number}`;
}

/** A number that the list has not given is that of the board, which counts from the first task of the list. */
function blockersAt(item: JsonObject, at: string, numbers: ReadonlySet<number>, problems: string[]): TaskRef[] | undefined {
  const key = item['blocked_by'] === undefined ? 'blockedBy' : 'blocked_by';
  const value = item[key] ?? undefined;
  if (value === undefined) return undefined;
  const listed = Array.isArray(value) ? value : [value];
  const refs = listed.flatMap((one): TaskRef[] => {
    const number = numberIn(one);
    if (number !== undefined && numbers.has(number)) return [nameOf(number)];
    return number !== undefined ? [number] : typeof one === 'string' ? [one.trim()] : [];
  });
  if (refs.length < listed.length) problems.push(`${within(at, key)} has something that is no name or number of a task`);
  return refs.length === 0 ? undefined : refs;
}

function priorityAt({ priority }: JsonObject, at: string, problems: string[]): number | undefined {
  if (priority === undefined || priority === null) return undefined;
  if (typeof priority === 'number') return priority;
  if (typeof priority === 'string' && NUMBER.test(priority)) return Number(priority);
  problems.push(`${within(at, 'priority')} is ${typeName(priority)}, not a number`);
  return undefined;
}

const NUMBER = /^-?\d{1,9}$/;

function worktreeAt({ worktree }: JsonObject, at: string, problems: string[]): boolean | string | undefined {
  if (worktree === undefined || worktree === null) return undefined;
  if (typeof worktree === 'boolean') return worktree;
  if (typeof worktree === 'string' && WORKTREE_LABEL.test(worktree)) return worktree;
  problems.push(`${within(at, 'worktree')} is neither true nor false, nor a name of 1 to 40 letters, digits, ".", "_" or "-"`);
  return undefined;
}

function within(at: string, key: string): string {
  return at === '' ? `"${key}"` : `${at}.${key}`;
}

/** In UTF-8. */
export function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

export function typeName(value: Json): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'a mapping' : `a ${typeof value}`;
}
