import { defined } from '../defined';
import { field, isJsonObject, type JsonObject } from '../text/json';
import { MEMBER_NAME, MEMBER_NAME_RULE } from './member';
import { LEAD } from './message';
import { bytesOf, type ReadTask, readTask, TASK_KEYS, TASK_KEYS_IN_CAMEL_CASE, typeName } from './read-task';
import { DESCRIPTION_BYTES, MOST_BLOCKERS, numberIn, TASK_NAME } from './task';

/** What people and programs send to a board that runs, beyond what every signal has. */
export type BoardOrder =
  /** A task. Sent again with the same `key` it is the same task. */
  | { kind: 'task'; task: ReadTask; key?: string }
  /** A new member, or one that starts again, which needs no agent. */
  | { kind: 'spawn'; name: string; agent?: string; role?: string; prompt?: string };

const ORDERS = ['task', 'spawn'] as const;
type OrderName = (typeof ORDERS)[number];

export function isBoardOrder(name: string): name is OrderName {
  return (ORDERS as readonly string[]).includes(name);
}

/** The keys of each. Keys of several words are taken in camel case, too. */
export const BOARD_ORDER_KEYS: Readonly<Record<OrderName, readonly string[]>> = {
  task: [...TASK_KEYS, 'key', ...TASK_KEYS_IN_CAMEL_CASE],
  spawn: ['name', 'agent', 'role', 'prompt'],
};

/** In characters. */
const LONGEST_KEY = 200;

/** Returns the problem in words if something is wrong. */
export function readBoardOrder(name: OrderName, payload: unknown): BoardOrder | { problem: string } {
  if (!isJsonObject(payload)) return { problem: `${name} takes an object` };
  return name === 'task' ? readTaskOrder(payload) : readSpawn(payload);
}

function readTaskOrder(payload: JsonObject): BoardOrder | { problem: string } {
  const problems: string[] = [];
  const given = field(payload, 'name') ?? field(payload, 'id');
  if (typeof given === 'number' || numberIn(given) !== undefined)
    return { problem: '"name" is a number, and the board gives the numbers: leave it out' };
  const task = readTask(payload, '', new Set(), problems);
  const { name, requiredRole = '', blockedBy = [] } = task;
  if (name !== undefined && !TASK_NAME.test(name)) problems.push('"name" must have 1 to 80 characters in one line');
  if (requiredRole.length > LONGEST_KEY) problems.push(`"required_role" has at most ${LONGEST_KEY} characters`);
  if (blockedBy.length > MOST_BLOCKERS) problems.push(`"blocked_by" has at most ${MOST_BLOCKERS} tasks`);
  const key = keyIn(payload, problems);
  return problems.length > 0 ? { problem: problems.join('; ') } : { kind: 'task', task, ...defined({ key }) };
}

/** A number is a key, too: `key: 17` and `key: "17"` are the same. */
function keyIn({ key }: JsonObject, problems: string[]): string | undefined {
  if (key === undefined || key === null) return undefined;
  const text = typeof key === 'number' ? String(key) : key;
  if (typeof text === 'string' && text !== '' && text.length <= LONGEST_KEY) return text;
  problems.push(`"key" must be a text of 1 to ${LONGEST_KEY} characters`);
  return undefined;
}

function readSpawn(payload: JsonObject): BoardOrder | { problem: string } {
  const read: Partial<Record<'name' | 'agent' | 'role' | 'prompt', string>> = {};
  for (const key of ['name', 'agent', 'role', 'prompt'] as const) {
    const value = payload[key];
    if (value === undefined || value === null) continue;
    if (typeof value !== 'string') return { problem: `"${key}" is ${typeName(value)}, not a text` };
    if (key !== 'prompt' && value.length > LONGEST_KEY) return { problem: `"${key}" has at most ${LONGEST_KEY} characters` };
    if (value.trim() !== '') read[key] = value;
  }
  const { name, agent, role, prompt } = read;
  if (name === undefined) return { problem: 'spawn needs "name", the member\'s, and "agent", which a new one runs as' };
  if (!MEMBER_NAME.test(name) || name === LEAD) return { problem: `"name" is ${JSON.stringify(name)}, but ${MEMBER_NAME_RULE}` };
  if (bytesOf(prompt ?? '') > DESCRIPTION_BYTES) return { problem: `"prompt" has at most ${DESCRIPTION_BYTES / 1024} KiB` };
  return { kind: 'spawn', name, ...defined({ agent, role, prompt }) };
}
