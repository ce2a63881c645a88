import type { ScriptedPerson } from '../../plan/agents/script';
import { BOARD_ORDER_KEYS, readBoardOrder } from '../../plan/board/board-order';
import { BUDGET_ORDER_KEYS, readBudgetOrder } from '../../plan/budgets/budget';
import { SIGNALS } from '../../plan/run/signal';
import { parseAddress } from '../../plan/steps/address';
import type { Json, JsonObject } from '../../plan/text/json';
import type { Report, SourceSpan } from '../diagnostics/diagnostic';
import { jsonOf } from '../read/json';
import { type Entry, entryOf, type MappingNode, type SourceNode } from '../read/node';
import { readDelay } from '../script/delay';
import { checkKeys, headOf } from '../shape/keys';
import { booleanOf, mappingOf, textOf, wrongType } from '../shape/values';
import type { PersonAction, PersonActionKind, PersonActionTime } from './test-file';

/** What people and operators may send, with the keys of each; `revise` is a response, `signal` one of the author's own names. */
const DEEDS: Readonly<Record<string, readonly string[]>> = {
  approve: ['step', 'by', 'comment', 'value', 'proven'],
  reject: ['step', 'by', 'comment', 'value', 'proven'],
  revise: ['step', 'by', 'comment', 'proven'],
  respond: ['step', 'by', 'comment', 'response', 'proven'],
  message: ['to', 'content', 'from', 'type', 'by', 'step'],
  task: ['by', 'step', ...BOARD_ORDER_KEYS.task],
  spawn: ['by', 'step', ...BOARD_ORDER_KEYS.spawn],
  drain: ['by', 'step', 'reason'],
  pause: ['by', 'reason'],
  unpause: ['by', 'reason'],
  retry: ['step', 'by', 'reason', 'with'],
  skip: ['step', 'by', 'reason'],
  abort: ['by', 'reason'],
  delegate: ['step', 'by', 'to', 'comment', 'proven'],
  extend_budget: ['step', 'by', 'reason', ...BUDGET_ORDER_KEYS],
  post_mortem: ['by', 'reason'],
  cancel: [],
  signal: ['name', 'payload'],
};
const WHENS = ['at', 'gate', 'held'] as const;
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  respond: ['response'],
  message: ['to', 'content'],
  delegate: ['by', 'to'],
  signal: ['name'],
};
/** The others of boards are texts. */
const BOARD_JSON_KEYS = ['blocked_by', 'blockedBy', 'priority', 'key'] as const;
const JSON_KEYS: readonly string[] = ['value', 'response', 'with', 'content', 'payload', ...BUDGET_ORDER_KEYS, ...BOARD_JSON_KEYS];

/** Reads one entry under `people:` of a test: when, and what. */
export function readPersonAction(node: SourceNode, report: Report): PersonAction | undefined {
  if (node.kind !== 'mapping') return wrongType(node, 'people', 'a list of entries such as {at: 2h, approve: {by: me}}', report);
  checkKeys(node, { what: 'what a person does', known: [...WHENS, 'after', ...Object.keys(DEEDS)] }, report);
  const when = readWhen(node, report);
  const [first, second] = node.entries.filter(({ key }) => Object.hasOwn(DEEDS, key));
  if (!first) report('test.bad-person', headOf(node), 'the entry has no action', `add one of ${Object.keys(DEEDS).join(', ')}`);
  if (first && second)
    report('test.bad-person', second.keyAt, `"${second.key}" cannot be combined with "${first.key}"`, 'split it into two entries');
  const does = first && readDoing(first, report);
  return when && does ? { when, does, at: headOf(node) } : undefined;
}

/** Converts a script's person to a test's action. */
export function personActionOf(person: ScriptedPerson, at: SourceSpan): PersonAction {
  const { gate, afterMs = 0, choice, by, comment, response } = person;
  const payload: JsonObject = {};
  if (response !== undefined) payload['response'] = response;
  if (by !== undefined) payload['by'] = by;
  if (comment !== undefined) payload['comment'] = comment;
  return { when: { kind: 'gate', gate, afterMs }, does: signal(choice, payload), at };
}

function readWhen(node: MappingNode, report: Report): PersonActionTime | undefined {
  const [first, second] = node.entries.filter(({ key }) => WHENS.some((when) => when === key));
  const after = entryOf(node, 'after');
  if (!first) {
    const hint = 'add `at: 26h` from the start of the run, or `gate: <step>` or `held: <step>` with `after:`';
    report('test.bad-person', headOf(node), 'the entry has no time', hint);
    return undefined;
  }
  if (second) report('test.bad-person', second.keyAt, `"${second.key}" cannot be combined with "${first.key}"`, 'keep one of the two');
  const afterMs = (after && readDelay(after, report)) ?? 0;
  if (first.key === 'at') {
    if (after) report('shape.conflicting-keys', after.keyAt, '"after" cannot be combined with "at"', 'add the two up');
    const ms = readDelay(first, report);
    return ms === undefined ? undefined : { kind: 'at', ms };
  }
  const step = textOf(first, report);
  if (!step) return undefined;
  if (!parseAddress(step.value)) {
    report('test.bad-person', step.at, `"${step.value}" names no step`, 'write its id, with a round if you mean one: review#3');
    return undefined;
  }
  return first.key === 'gate' ? { kind: 'gate', gate: step.value, afterMs } : { kind: 'held', step: step.value, afterMs };
}

function readDoing(entry: Entry, report: Report): PersonActionKind | undefined {
  const { key, value } = entry;
  if (key === 'cancel') return { kind: 'cancel' };
  if (value.kind === 'scalar' && value.value === null && !Object.hasOwn(REQUIRED, key)) return signal(key, {});
  // The answer itself, if it is no mapping that says who gives it.
  if (key === 'respond' && (value.kind !== 'mapping' || !entryOf(value, 'response'))) return signal(key, { response: jsonOf(value) });
  const body = mappingOf(entry, report, `a mapping of ${(DEEDS[key] ?? []).join(', ')}, or empty`);
  if (!body) return undefined;
  checkKeys(body, { what: `"${key}"`, known: DEEDS[key] ?? [] }, report);
  for (const required of REQUIRED[key] ?? []) {
    if (!entryOf(body, required)) report('shape.missing-key', headOf(body), `"${key}" has no "${required}"`, `add \`${required}:\``);
  }
  const payload: JsonObject = {};
  for (const part of body.entries) {
    if (part.key === 'proven') continue;
    if (JSON_KEYS.includes(part.key)) payload[part.key] = jsonOf(part.value);
    else payload[part.key] = textOf(part, report)?.value ?? null;
  }
  const ceilings = key === 'extend_budget' ? readBudgetOrder(payload) : {};
  if ('problem' in ceilings) report('test.bad-person', headOf(body), ceilings.problem, 'write new ceilings, such as {tokens: 120000}');
  const order = key === 'task' || key === 'spawn' ? readBoardOrder(key, payload) : undefined;
  if (order && 'problem' in order) report('test.bad-person', headOf(body), order.problem, 'write what a person would send');
  if (key === 'signal') return ownSignal(body, payload, report);
  return isProven(body, report) ? { ...signal(key, payload), proven: true } : signal(key, payload);
}

/** Whether the test takes the name as proven, as if by the person's own token. */
function isProven(body: MappingNode, report: Report): boolean {
  const entry = entryOf(body, 'proven');
  const proven = entry !== undefined && booleanOf(entry, report) === true;
  if (proven && !entryOf(body, 'by')) report('test.bad-person', entry.keyAt, '"proven" requires a name', 'add `by:` with who it is');
  return proven;
}

/** A signal that a step of the pipeline waits for. */
function ownSignal(body: MappingNode, { name, payload }: JsonObject, report: Report): PersonActionKind | undefined {
  if (typeof name !== 'string') return undefined;
  if (SIGNALS.some((known) => known === name)) {
    const at = entryOf(body, 'name')?.value.at ?? headOf(body);
    report('test.bad-person', at, `"${name}" is a signal that people send themselves`, `write \`${name}:\` in place of \`signal:\``);
  }
  return { kind: 'signal', name, payload: payload ?? null };
}

function signal(name: string, payload: JsonObject): Extract<PersonActionKind, { kind: 'signal' }> {
  if (name !== 'revise') return { kind: 'signal', name, payload };
  const revise: Json = { ...payload, response: 'revise' };
  return { kind: 'signal', name: 'respond', payload: revise };
}
