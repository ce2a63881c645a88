import { describeFault, type Fault, WHOLE_REPLY } from '../agents/reply-fault';
import { field, isJsonObject, type Json, type JsonObject } from '../text/json';
import { parseJson } from '../text/json-text';
import { shortened } from '../text/shortened';
import { parseUntrustedJson } from '../text/untrusted-json';
import { visibleText } from '../text/visible-text';
import { type AskedKind, HAND_OFF_KINDS, HAND_OFF_ROWS, type HandOff, type Rows, type Shape, type SubTask } from './hand-off';
import { replyBlock } from './reply-block';
import { circleIn } from './sub-task-order';

/** What a role was asked for. `roles`: those that a plan may give a sub-task to; `subtask`: the id of the one that the reply is about. */
export type Asked = { kind: 'plan'; roles: readonly string[] } | { kind: Exclude<AskedKind, 'plan'>; subtask: string };

/** `faults` is never empty. Its entries end sentences that a repair is asked with (`describeFault`). */
export type HandOffRead = { handOff: HandOff } | { faults: Fault[] };

/**
 * Reads the hand-off of a reply. What an agent says is untrusted, so this is strict. Invariants: 1. the result has the fields of the rows
 * (`hand-off.ts`) and no others, whatever their names; 2. its texts have no control characters, and none is longer than its limit; 3. what
 * is wrong comes with its place, all of it at once, but at most 20 faults; 4. it takes time in proportion to the reply.
 */
export function readHandOff(reply: string, asked: Asked): HandOffRead {
  const value = objectIn(reply);
  if ('faults' in value) return value;
  const kind = HAND_OFF_KINDS.find((one) => one === field(value.object, 'kind'));
  if (kind !== asked.kind && kind !== 'escalation') return { faults: [wrongKind(value.object, asked.kind)] };
  const faults: Fault[] = [];
  const handOff = { kind, ...readRows(value.object, HAND_OFF_ROWS[kind], '', faults) };
  if (hasItsTypes(handOff, faults)) {
    faults.push(...beyondShape(handOff, asked));
    if (faults.length === 0) return { handOff };
  }
  return { faults: faults.slice(0, MOST_FAULTS) };
}

/** `readRows` gives each field the type of its row, or reports a fault. */
function hasItsTypes(_read: JsonObject, faults: readonly Fault[]): _read is HandOff {
  return faults.length === 0;
}

/** One sentence about a reply that is malformed. */
export function describeFaults(faults: readonly Fault[]): string {
  return faults.map(describeFault).join('; ');
}

const MOST_FAULTS = 20;
/** No plan of 64 sub-tasks comes near it. */
const MOST_REPLY = 4_000_000;

function objectIn(reply: string): { object: JsonObject } | { faults: Fault[] } {
  const whole = (reason: string) => ({ faults: [{ path: WHOLE_REPLY, reason }] });
  if (reply.length > MOST_REPLY) return whole(`has more than ${MOST_REPLY} characters`);
  const block = replyBlock(reply);
  if (block.kind === 'cut') return whole('is cut: its last `json` block is not closed');
  const isBlock = block.kind === 'block';
  const value = parseUntrustedJson(block.text);
  const name = isBlock ? 'has a last `json` block that' : '';
  if (isJsonObject(value)) return { object: value };
  if (value !== undefined) return whole(`${name} is JSON, but not an object`.trim());
  if (!isBlock && !block.text.startsWith('{')) return whole('has no fenced `json` block, and is not a JSON object as a whole');
  return whole(`${name} ${whyNotJson(block.text)}`.trim());
}

function whyNotJson(text: string): string {
  try {
    parseJson(text);
    return 'is nested too deeply';
  } catch (error) {
    const at = /position (\d+)/.exec(String(error))?.[1];
    return at === undefined ? 'is not valid JSON' : `is not valid JSON: see line ${text.slice(0, Number(at)).split('\n').length} of it`;
  }
}

function wrongKind(value: JsonObject, asked: AskedKind): Fault {
  const said = field(value, 'kind');
  if (said === undefined) return { path: 'kind', reason: `is missing: it must be "${asked}" or "escalation"` };
  return { path: 'kind', reason: `must be "${asked}" or "escalation", not ${shown(said)}` };
}

function shown(value: Json): string {
  return typeof value === 'object' && value !== null ? 'a structure' : shortened(visibleText(JSON.stringify(value)), 100);
}

function readRows(value: JsonObject, rows: Rows, at: string, faults: Fault[]): JsonObject {
  const read: JsonObject = {};
  for (const [name, { shape, optional }] of Object.entries(rows)) {
    const path = at === '' ? name : `${at}.${name}`;
    const given = field(value, name) ?? null;
    const isAbsent = given === null || (typeof given === 'string' && visibleText(given).trim() === '');
    if (isAbsent && optional) continue;
    if (isAbsent) faults.push({ path, reason: given === null ? 'is missing' : 'is empty' });
    else if (optional && shape.is === 'word' && !shape.words.some((word) => word === given)) continue;
    else {
      const found = readShape(given, shape, path, faults);
      if (found !== undefined) read[name] = found;
    }
  }
  return read;
}

/** Undefined if it is malformed, which is then among the faults. */
function readShape(value: Json, shape: Shape, path: string, faults: Fault[]): Json | undefined {
  const wrong = (reason: string): undefined => {
    faults.push({ path, reason });
  };
  switch (shape.is) {
    case 'text':
    case 'line': {
      if (typeof value !== 'string') return wrong('must be a text');
      const text = visibleText(value).trim();
      if (text.length > shape.most) return wrong(`has ${text.length} characters, and may have ${shape.most}`);
      return shape.is === 'line' ? text.replace(/\s+/g, ' ') : text;
    }
    case 'number':
      return typeof value === 'number' ? value : wrong('must be a number');
    case 'word':
      return shape.words.find((word) => word === value) ?? wrong(`must be ${orOf(shape.words)}, not ${shown(value)}`);
    case 'list':
      return readList(value, shape, path, faults) ?? undefined;
    case 'object':
      return isJsonObject(value) ? readRows(value, shape.rows, path, faults) : wrong('must be an object');
  }
}

function readList(
  value: Json,
  { of, least, most, isCut }: Extract<Shape, { is: 'list' }>,
  path: string,
  faults: Fault[],
): Json[] | undefined {
  const wrong = (reason: string): undefined => {
    faults.push({ path, reason });
  };
  if (!Array.isArray(value)) return wrong('must be a list');
  if (value.length < least) return wrong(`is empty: it needs at least ${least}`);
  if (value.length > most && !isCut) return wrong(`has ${value.length} entries, and may have ${most}`);
  return value.slice(0, most).flatMap((entry, i) => {
    const place = `${path}[${i}]`;
    if (typeof entry === 'string' && visibleText(entry).trim() === '') {
      faults.push({ path: place, reason: 'is empty' });
      return [];
    }
    return readShape(entry, of, place, faults) ?? [];
  });
}

/** What rows cannot say. */
function beyondShape(handOff: HandOff, asked: Asked): Fault[] {
  if (handOff.kind === 'plan') return asked.kind === 'plan' ? planFaults(handOff.subtasks, asked.roles) : [];
  if (handOff.kind === 'escalation' || asked.kind === 'plan' || handOff.subtask_id === asked.subtask) return [];
  return [{ path: 'subtask_id', reason: `must be ${JSON.stringify(asked.subtask)}, not ${shown(handOff.subtask_id)}` }];
}

function planFaults(subTasks: readonly SubTask[], roles: readonly string[]): Fault[] {
  const ids = new Set<string>();
  const all = new Set(subTasks.map(({ id }) => id));
  const faults = subTasks.flatMap(({ id, depends_on = [], role }, i): Fault[] => {
    const at = `subtasks[${i}]`;
    const isDoubled = ids.has(id);
    ids.add(id);
    return [
      ...(isDoubled ? [{ path: `${at}.id`, reason: `is ${shown(id)}, which another sub-task has` }] : []),
      ...depends_on.flatMap((one, n) =>
        all.has(one) ? [] : [{ path: `${at}.depends_on[${n}]`, reason: `is ${shown(one)}, which is no sub-task` }],
      ),
      ...(role === undefined || roles.includes(role) ? [] : [{ path: `${at}.role`, reason: `must be ${orOf(roles)}, not ${shown(role)}` }]),
    ];
  });
  const circle = faults.length === 0 ? circleIn(subTasks) : undefined;
  return circle ? [{ path: 'subtasks', reason: `wait for each other: ${circle.map(shown).join(' → ')}` }] : faults;
}

function orOf(words: readonly string[]): string {
  return words.map((word) => JSON.stringify(word)).join(' or ');
}
