import type { TaskRef } from '../../../plan/board/task';
import { field, type JsonObject } from '../../../plan/text/json';
import { ToolRefusal } from '../../tool-ports';
import { textArgument } from '../tool-arguments';

/** Numbers and names alike: the board knows what they mean. */
export function taskArgument(args: JsonObject): TaskRef {
  const ref = optionalTask(args);
  if (ref === undefined) throw new ToolRefusal('"task_id" names no task; list_tasks shows the tasks that there are');
  return ref;
}

export function optionalTask(args: JsonObject): TaskRef | undefined {
  const value = field(args, 'task_id');
  if (typeof value === 'number') return value;
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** An argument that says something. */
export function trimmedText(args: JsonObject, name: string): string {
  const text = trimmedOrNone(args, name);
  if (text === undefined) throw new ToolRefusal(`"${name}" must say something`);
  return text;
}

export function trimmedOrNone(args: JsonObject, name: string): string | undefined {
  return textArgument(args, name)?.trim() || undefined;
}
