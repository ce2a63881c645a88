import { readProof } from '../../plan/people/proof';
import { type ControlRef, readControlRef } from '../../plan/run/artifact';
import { ThermidorFailure } from '../../plan/run/failure';
import type { ParentRun, RunInput, ScheduledFor } from '../../plan/run/run-input';
import { isUndecodable } from '../../plan/run/signal';
import { readTraceparent } from '../../plan/run/traceparent';
import { parseAddress } from '../../plan/steps/address';
import { field, isJsonObject, type Json } from '../../plan/text/json';

/** The same limit as for a name in a decision. */
export const LONGEST_NAME = 200;
/** Names are shown to people: none may control a terminal, break a line or turn the direction of writing. */
export const UNSEEN = /[\p{Cc}\p{Cf}\u2028\u2029]/u;

type ReferenceKey = { [K in keyof RunInput]-?: Extract<RunInput[K], ControlRef> extends never ? never : K }[keyof RunInput];

/** The keys that refer to content, and the required kind of each. */
export const REFERENCES = {
  script: 'script',
  plan: 'plan',
  resume: 'snapshot',
  carried: 'carry',
} as const satisfies { [K in ReferenceKey]: Extract<RunInput[K], ControlRef>['kind'] };

/** The readable part: its ledger says whether a parent really is one. */
export type ReadInput = Omit<RunInput, 'parent'> & { parent?: Required<Omit<ParentRun, 'parent'>> };

type Key<T> = { read: (value: Json) => T | undefined; is: string };

/** What each key has to be. */
const KEYS: { [K in keyof ReadInput]-?: Key<ReadInput[K]> } = {
  pipeline: { read: asText, is: 'the name of a pipeline' },
  args: { read: (value) => (isJsonObject(value) ? value : undefined), is: 'an object' },
  script: {
    read: (value) => asText(value) ?? readControlRef(value, REFERENCES.script),
    is: `the name of a script, or ${reference('script')}`,
  },
  plan: { read: (value) => readControlRef(value, REFERENCES.plan), is: reference('plan') },
  scheduled: { read: asScheduled, is: '{"at", "before"}, two moments such as 2026-11-23T07:30:00.000Z; "before" may be absent' },
  traceparent: { read: asTraceparent, is: 'a traceparent such as 00-<32 hexadecimal digits>-<16>-01' },
  resume: { read: (value) => readControlRef(value, REFERENCES.resume), is: reference('resume') },
  startedBy: { read: asName, is: `a name of at most ${LONGEST_NAME} characters that can be seen` },
  proof: { read: readProof, is: '{"channel", "at", "mac"}' },
  parent: { read: asParent, is: '{"workflowId", "run", "step"}, with the address of a step' },
  carried: { read: (value) => readControlRef(value, REFERENCES.carried), is: reference('carried') },
  postMortem: { read: (value) => value === true || undefined, is: 'true, or absent' },
};

export const INPUT_KEYS = Object.keys(KEYS) as (keyof ReadInput)[];

/**
 * Reads a workflow's input, which anyone may have typed: nothing, null and "" are `{}`. Fails with `input.invalid` and lists
 * every mistake.
 */
export function readRunInput(input: unknown): ReadInput {
  if (input === undefined || input === null || input === '') return {};
  if (isUndecodable(input)) throw invalidInput([`it is in encoding "${input.encoding}", which cannot be decoded`]);
  if (!isJsonObject(input)) throw invalidInput([`it must be an object such as {"args": {}}, not ${JSON.stringify(input)}`]);
  const unknown = Object.keys(input).filter((key) => !Object.hasOwn(KEYS, key));
  const problems = unknown.map((key) => `unknown key "${key}"; known: ${INPUT_KEYS.join(', ')}`);
  const given = INPUT_KEYS.filter((key) => input[key] !== undefined && input[key] !== null);
  const read: ReadInput = {};
  for (const key of given) {
    const value = KEYS[key].read(input[key] ?? null);
    if (value === undefined) problems.push(`"${key}" must be ${KEYS[key].is}`);
    else Object.assign(read, { [key]: value });
  }
  for (const key of read.parent ? given : []) {
    if (key !== 'parent') problems.push(`"${key}" is not accepted together with "parent": the input of a child is in its parent's ledger`);
  }
  if (problems.length > 0) throw invalidInput(problems);
  return read;
}

function asText(value: Json): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function asTraceparent(value: Json): string | undefined {
  const text = asText(value);
  return text !== undefined && readTraceparent(text) ? text : undefined;
}

function asScheduled(value: Json): ScheduledFor | undefined {
  const [at, before] = ['at', 'before'].map((key) => asMoment(field(value, key)));
  if (at === undefined || (before === undefined && field(value, 'before') !== undefined)) return undefined;
  return before === undefined ? { at } : before < at ? { at, before } : undefined;
}

/** In one spelling, so that two moments are in the order of their texts. */
function asMoment(value: Json | undefined): string | undefined {
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(ms) || ms < 0 || ms > LATEST_MS ? undefined : new Date(ms).toISOString();
}

/** The end of the year 9999. */
const LATEST_MS = 253_402_300_799_999;

function asName(value: Json): string | undefined {
  const name = asText(value) ?? '';
  return name.trim() !== '' && name.length <= LONGEST_NAME && !UNSEEN.test(name) ? name : undefined;
}

function asParent(value: Json): ReadInput['parent'] {
  const [workflowId, run, step] = ['workflowId', 'run', 'step'].map((key) => asText(field(value, key) ?? null));
  return workflowId && run && step !== undefined && parseAddress(step) ? { workflowId, run, step } : undefined;
}

function reference(key: ReferenceKey): string {
  return `a reference {"kind": "${REFERENCES[key]}", "sha256", "sizeBytes", "mediaType"} to what thermidor has stored as one`;
}

export function invalidInput(problems: string[]): ThermidorFailure {
  return new ThermidorFailure('input.invalid', `the workflow's input is not a RunInput: ${problems.join('; ')}`, { problems });
}
