import { NAME } from '../../compiler/language/patterns';
import { contextProblem } from '../../plan/agents/agent-context';
import { defined } from '../../plan/defined';
import { VERSION_MODES } from '../../plan/run/deployment';
import { isJsonObject, type Json } from '../../plan/text/json';
import { isTimezone } from '../../plan/text/timezone';
import type { LoadLimits } from '../../worker/activity-slots';
import { duration, mapping, must, oneOf, type Reader, record, refuse, refuseKey, text, whole } from './fields';

/** `context: {market: BTC/USDT}`: values that agents get with each task. */
export const contextSetting: Reader<Record<string, Json>> = (value, name, problems) => {
  const content = mapping(value, name, problems);
  if (!content) return undefined;
  const context: Record<string, Json> = {};
  for (const [key, fact] of Object.entries(content)) {
    if (!NAME.test(key))
      refuseKey(
        problems,
        `${name}.${key}`,
        `"${key}" is not a valid name`,
        'names begin with a letter and have letters, digits, "_" and "-", 64 at most',
      );
    else if (!isPlain(fact)) refuse(problems, `${name}.${key}`, `"${name}.${key}" must be text, a number, a list or a mapping`);
    else context[key] = fact;
  }
  const tooLong = contextProblem(context);
  if (tooLong !== undefined) refuse(problems, name, `"${name}" ${tooLong}`);
  return context;
};

/** The name of a time zone. */
export const timezone: Reader<string> = (value, name, problems) => {
  const zone = text(value, name, problems);
  if (zone === undefined || isTimezone(zone)) return zone;
  refuse(problems, name, `"${zone}" is not a time zone`, 'write a name such as UTC or Europe/Paris');
  return undefined;
};

/** Bounds of a limit of the load, in percent: below the least hardly anything would ever begin. */
export const LEAST_LOAD = 10;
export const MOST_LOAD = 100;

export const agentsInFlight = whole(1, 1000);

export const cachedRuns = whole(10, 10_000);

export const versions = oneOf(VERSION_MODES);

const PERCENT = whole(LEAST_LOAD, MOST_LOAD);

/** `load: {memory: 80, cpu: 90}`, in percent of the host. */
export const loadSetting: Reader<LoadLimits> = (value, name, problems) => {
  const read = record({ memory: PERCENT, cpu: PERCENT })(value, name, problems);
  return read && defined({ ...read });
};

export const stackTraces = must('true or false', (value) => (typeof value === 'boolean' ? value : undefined));

function isPlain(value: unknown): value is Json {
  if (Array.isArray(value)) return value.every(isPlain);
  if (isJsonObject(value)) return !(value instanceof Date) && Object.values(value).every(isPlain);
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

const LONGEST_GRACE_MS = 24 * 60 * 60 * 1000;

/** `shutdown: {grace: 30s}`: the time that steps in flight get to end by themselves when a worker ends. */
export const shutdown: Reader<{ graceMs?: number }> = (value, name, problems) => {
  const read = record({ grace: duration('a duration from 1s to 24h, such as 30s', 1000, LONGEST_GRACE_MS) })(value, name, problems);
  return read && defined({ graceMs: read.grace });
};
