import type { ErrorObject, ValidateFunction } from 'ajv';
import { type Fault, WHOLE_REPLY } from '../../plan/agents/reply-fault';
import { defined } from '../../plan/defined';
import { ThermidorFailure } from '../../plan/run/failure';
import { isJsonObject, type Json } from '../../plan/text/json';
import type { Mask } from '../../plan/text/masker';
import { isLongNumber } from '../../plan/text/numbers';
import { shortened } from '../../plan/text/shortened';
import { inDoubles, plain, type Spelled } from '../../plan/text/spelled-json';
import { jsonPreview, partsOf } from '../json-beginning';
import { compileSchema, describeError, MISSING, pathOfPointer } from '../json-schema';
import type { Log } from '../log';
import type { TextMatching } from '../ports';
import { SchemaCost, SchemaTooCostly } from './schema-cost';
import { faultsOf } from './schema-faults';

/** How a value breaks its schema. */
export interface SchemaProblems {
  /** Required fields that are not there: `key_levels[].evidence`. */
  missingFields: string[];
  /** Everything else, in words. */
  problems: string[];
  /** All of these, each with its path and reason. Never empty. */
  faults: Fault[];
  /** A note that there is more, or may be. */
  more?: string;
}

/** The limit of each list. A long answer of the wrong form breaks its schema in a hundred thousand places: the first are enough. */
const MOST_TOLD = 50;
/** The limit of one of them, in characters: names of fields come from the answer. */
const TOLD_CHARACTERS = 300;
/** How many parts of a value are checked for all mistakes; the rest is checked up to the first one. */
const SEARCHED_PARTS = 2000;
const NOT_SEARCHED = `… and perhaps more: behind its first ${SEARCHED_PARTS} parts only the first problem is looked for`;

/** What a worker needs for a check. */
export interface CheckedBy {
  matching: TextMatching;
  log: Log;
  /** Takes secrets out of what is reported, before that is cut. Absent: the value has none. */
  mask?: Mask;
}

/** How often a check is repeated with new answers: a schema that keeps asking for more is invalid. */
const MOST_ROUNDS = 50;

/**
 * Checks a value against a JSON Schema (`json-schema.ts`); undefined if it satisfies it. Takes time proportional to the value, whatever is
 * wrong with it, and matches long texts off the event loop. A number that no double holds is valid if the schema accepts its text, or the
 * nearest double. Compiled schemas are kept by digest. Fails with `pipeline.invalid` if the schema itself is invalid.
 */
export async function checkSchema(by: CheckedBy, digest: string, schema: Json, value: Spelled): Promise<SchemaProblems | undefined> {
  const work = new SchemaCost(() => partsOf(plain(value)));
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const { found, open } = work.check(() => problemsOf({ digest, schema, spelled: value, log: by.log, ...defined({ mask: by.mask }) }));
    if (open.length === 0) return found;
    const answers = await by.matching.answers(open);
    if (!answers) return only(TOO_LONG);
    work.settle(open, answers);
  }
  return only(TOO_LONG);
}

/** Checks a value synchronously, for a process that has nothing else to do meanwhile. */
export function checkSchemaHere(digest: string, schema: Json, value: Spelled): SchemaProblems | undefined {
  return problemsOf({ digest, schema, spelled: value, log: () => undefined });
}

const TOO_LONG = 'matching its texts against the patterns and formats of its schema takes too long: shorten them';
const TOO_OFTEN = 'it cannot be checked: its schema tries the same parts of it over and over; nest it less deeply';

function only(problem: string): SchemaProblems {
  return { missingFields: [], problems: [problem], faults: [{ path: WHOLE_REPLY, reason: `cannot be checked: ${problem}` }] };
}

interface SchemaCheck {
  digest: string;
  schema: Json;
  spelled: Spelled;
  log: Log;
  mask?: Mask;
}

function problemsOf(check: SchemaCheck): SchemaProblems | undefined {
  const { digest, schema, spelled, log, mask } = check;
  const value = plain(spelled);
  const problemsIn = (errors: readonly ErrorObject[], rest?: string): SchemaProblems | undefined => {
    const doubles = errors.some((error) => isLongNumberAt(error, value)) ? inDoubles(spelled) : value;
    return doubles === value ? describeErrors(errors, value, { rest, mask }) : problemsOf({ ...check, spelled: doubles });
  };
  try {
    const { value: beginning, cutAt } = jsonPreview(value, SEARCHED_PARTS);
    if (cutAt === undefined) {
      const validate = compiled(digest, schema, true, log);
      return validate(value) ? undefined : problemsIn(validate.errors ?? []);
    }
    const validate = compiled(digest, schema, false, log);
    if (validate(value)) return undefined;
    const first = validate.errors ?? [];
    const search = compiled(digest, schema, true, log);
    const found = search(beginning) ? [] : certain(search.errors ?? [], cutAt, value);
    return problemsIn([...first, ...found], NOT_SEARCHED);
  } catch (error) {
    if (error instanceof SchemaTooCostly) return only(TOO_OFTEN);
    throw error;
  }
}

function isLongNumberAt({ instancePath }: ErrorObject, value: Json): boolean {
  const { part } = pathOfPointer(instancePath, value);
  return typeof part === 'string' && isLongNumber(part);
}

/** Keywords that hold because of inner schemas. If one fails, its inner mistakes are reported with it. */
const CONDITIONS = ['anyOf', 'oneOf', 'if', 'contains'];

/** The mistakes of a value's beginning that are mistakes of the whole. A cut part may have in its rest what it seems to lack. */
function certain(errors: readonly ErrorObject[], cutAt: string, value: Json): ErrorObject[] {
  const wasCut = ({ instancePath }: ErrorObject) => cutAt.startsWith(`${instancePath}/`);
  if (errors.some((error) => wasCut(error) && CONDITIONS.includes(error.keyword))) return [];
  return errors.filter((error) => !wasCut(error) || error.keyword === 'additionalProperties' || isMissing(error, value));
}

function isMissing({ instancePath, keyword, params }: ErrorObject, value: Json): boolean {
  const { part } = pathOfPointer(instancePath, value);
  const missing: unknown = keyword === 'required' ? params['missingProperty'] : undefined;
  return typeof missing === 'string' && isJsonObject(part) && !Object.hasOwn(part, missing);
}

interface Told {
  /** What is said of problems that are not among the errors. */
  rest: string | undefined;
  mask: Mask | undefined;
}

function describeErrors(found: readonly ErrorObject[], value: Json, { rest, mask }: Told): SchemaProblems {
  // What the branch of a condition asks for comes with it, at its own place.
  const errors = found.filter(({ keyword }) => keyword !== 'if');
  const missingFields = new Set<string>();
  const problems = new Set<string>();
  for (const error of errors) {
    const missing: unknown = error.keyword === 'required' ? error.params['missingProperty'] : undefined;
    if (typeof missing === 'string') {
      const { path } = pathOfPointer(error.instancePath, value);
      missingFields.add(path === '' ? missing : `${path}.${missing}`);
    } else problems.add(describeError(error, value));
  }
  const left = [missingFields, problems].reduce((sum, { size }) => sum + Math.max(0, size - MOST_TOLD), 0);
  const more = rest ?? (left > 0 ? `… and ${left} more` : undefined);
  return {
    missingFields: firstOf(missingFields, mask),
    problems: [...firstOf(problems, mask), ...(more === undefined ? [] : [more])],
    faults: firstFaults(faultsOf(errors, value), mask),
    ...defined({ more }),
  };
}

/** The faults that a report lists, up to its limit: missing fields first. */
export function firstFaults(all: readonly Fault[], mask: Mask = (text) => text): Fault[] {
  const each = [...new Map(all.map((fault) => [JSON.stringify(fault), fault])).values()];
  const missing = each.filter(isMissingField).slice(0, MOST_TOLD);
  const others = each.filter((fault) => !isMissingField(fault)).slice(0, MOST_TOLD);
  return [...missing, ...others].map(({ path, reason }) => ({
    path: shortened(mask(path), TOLD_CHARACTERS),
    reason: shortened(mask(reason), TOLD_CHARACTERS),
  }));
}

export function isMissingField({ reason }: Fault): boolean {
  return reason === MISSING;
}

/** The part of an answer's mistakes that is reported. */
function firstOf(all: Iterable<string>, mask: Mask = (text) => text): string[] {
  return [...all].slice(0, MOST_TOLD).map((one) => shortened(mask(one), TOLD_CHARACTERS));
}

const COMPILED_KEPT = 100;
const kept = new Map<string, ValidateFunction>();

function compiled(digest: string, schema: Json, allErrors: boolean, log: Log): ValidateFunction {
  const key = `${allErrors ? 'all' : 'first'} ${digest}`;
  const unchecked = (pattern: string, problem: string): void => warn(digest, pattern, problem, log);
  const validate = kept.get(key) ?? compileSchema(schema, { allErrors, unchecked });
  if (typeof validate === 'string')
    throw new ThermidorFailure('pipeline.invalid', `an output's schema is not a valid JSON Schema: ${validate}`);
  kept.set(key, validate);
  const oldest = kept.keys().next();
  if (kept.size > COMPILED_KEPT && !oldest.done) kept.delete(oldest.value);
  return validate;
}

const WARNED_KEPT = 1000;
const warned = new Set<string>();

/** Once in a process. */
function warn(digest: string, pattern: string, problem: string, log: Log): void {
  const what = `${digest} ${pattern}`;
  if (warned.has(what) || warned.size >= WARNED_KEPT) return;
  warned.add(what);
  log('warn', `a pattern of a schema is not checked: ${shortened(JSON.stringify(pattern), TOLD_CHARACTERS)} ${problem}`, {
    schema: digest,
  });
}
