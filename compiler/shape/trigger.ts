import { Cron } from 'croner';
import { OVERLAPS } from '../../plan/plan';
import { isTimezone } from '../../plan/text/timezone';
import type { Located, Report, SourceSpan } from '../diagnostics/diagnostic';
import { type Entry, entryOf } from '../read/node';
import { spansWithin } from '../read/offsets';
import { checkKeys, requireKey } from './keys';
import type { CronSource, TriggerSource } from './source';
import { booleanOf, durationOf, textOf, wordOf, wrongType } from './values';

const CATCHUP_MS = 600_000;
const MANUAL: TriggerSource = { kind: 'manual' };
const FORMS = 'write `manual`, `cron "30 7 * * 1-5"` or {cron, timezone, …}';

/** Reads `manual`, `cron "30 7 * * 1-5"`, or a mapping. */
export function readTrigger(entry: Entry, report: Report): TriggerSource {
  if (entry.value.kind === 'mapping') return readMapping(entry, report);
  const text = textOf(entry, report);
  if (!text || text.value.trim() === 'manual') return MANUAL;
  const quoted = /^\s*cron\s+(["'])(.*)\1\s*$/.exec(text.value);
  const expression = quoted?.[2];
  if (expression === undefined || entry.value.kind !== 'scalar') {
    report('trigger.bad-cron', text.at, `the trigger "${text.value}" cannot be read`, FORMS);
    return MANUAL;
  }
  const start = text.value.search(/["']/) + 1;
  const at = spansWithin(entry.value)(start, start + expression.length);
  return checkCron({ value: expression, at }, report) ? cronTrigger([expression], at) : MANUAL;
}

function cronTrigger(expressions: string[], at: SourceSpan): CronSource {
  return { kind: 'cron', at, expressions, overlap: 'skip', catchupMs: CATCHUP_MS };
}

function readMapping(entry: Entry, report: Report): TriggerSource {
  const node = entry.value;
  if (node.kind !== 'mapping') return MANUAL;
  const get = (key: string): Entry | undefined => entryOf(node, key);
  checkKeys(
    node,
    { what: 'a trigger', known: ['cron', 'timezone', 'overlap', 'catchup', 'jitter', 'paused'], place: 'key of trigger' },
    report,
  );
  requireKey(node, 'cron', 'the trigger', report, 'add `cron: "30 7 * * 1-5"`');
  const [cron, timezone, overlap, catchup, jitter, paused] = ['cron', 'timezone', 'overlap', 'catchup', 'jitter', 'paused'].map(get);
  const trigger = cronTrigger(cron ? readExpressions(cron, report) : [], entry.keyAt);
  const zone = timezone && textOf(timezone, report);
  if (zone && isTimezone(zone.value)) trigger.timezone = zone.value;
  else if (zone)
    report('trigger.unknown-timezone', zone.at, `"${zone.value}" is not a time zone`, 'write a name such as UTC or Europe/Paris');
  const policy = overlap && wordOf(overlap, OVERLAPS, report);
  if (policy) trigger.overlap = policy.value;
  const catchupMs = catchup && durationOf(catchup, report);
  if (catchupMs !== undefined) trigger.catchupMs = catchupMs;
  const jitterMs = jitter && durationOf(jitter, report);
  if (jitterMs !== undefined) trigger.jitterMs = jitterMs;
  if (paused && booleanOf(paused, report)) trigger.paused = true;
  return trigger;
}

function readExpressions(entry: Entry, report: Report): string[] {
  if (entry.value.kind === 'mapping') return wrongType(entry.value, 'cron', 'a cron expression or a list of them', report) ?? [];
  const items = entry.value.kind === 'sequence' ? entry.value.items : [entry.value];
  if (items.length === 0) report('shape.out-of-range', entry.value.at, '"cron" is an empty list', 'write a cron expression');
  return items.flatMap((value) => {
    const text = textOf({ ...entry, value }, report);
    return text && checkCron(text, report) ? [text.value.trim()] : [];
  });
}

const FIELDS = /^[\d*/,A-Za-z-]+$/;
/** Syntax that some cron dialects have and Temporal's has not. */
const FOREIGN = /(?:^|[\d,])[LW](?:$|[\d,])|#|\?/;
const SHORTHAND = /^@(?:yearly|annually|monthly|weekly|daily|midnight|hourly)$/;

/** Five fields, as Temporal's schedules take them. */
function checkCron(text: Located<string>, report: Report): boolean {
  const expression = text.value.trim();
  if (SHORTHAND.test(expression)) return true;
  const fields = expression.split(/\s+/);
  const problem = fields.length === 5 ? problemOfFields(expression, fields) : `has ${fields.length} fields`;
  if (problem === undefined) {
    checkDays({ value: expression, at: text.at }, report);
    return true;
  }
  report('trigger.bad-cron', text.at, `the cron expression "${expression}" ${problem}`, hintFor(fields));
  return false;
}

function hintFor(fields: readonly string[]): string {
  if (fields.length === 5 && fields.includes('?')) return 'write `*` for a field that restricts nothing; `?` is Quartz’s';
  return 'write five fields: minute, hour, day of month, month, day of week';
}

/** The day from which all dates of a leap year are checked, so that the result does not depend on the day of compiling. */
const LOOKED_FROM = new Date(Date.UTC(2024, 0, 1));

/** Warns of expressions that look right but start on other days than the author may think. */
function checkDays({ value: expression, at }: Located<string>, report: Report): void {
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = expression.split(/\s+/);
  if (!new Cron([minute, hour, day, month, '*'].join(' '), { paused: true, timezone: 'UTC' }).nextRun(LOOKED_FROM)) {
    report(
      'trigger.never',
      at,
      `the cron expression "${expression}" never starts a run: no year has such a date`,
      'change the day or the month',
    );
    return;
  }
  // As in crontab: a field that begins with a star does not restrict the other.
  if (day.startsWith('*') || weekday.startsWith('*')) return;
  const [dates, weekdays] = [[minute, hour, day, month, '*'].join(' '), [minute, hour, '*', month, weekday].join(' ')];
  report(
    'trigger.day-and-weekday',
    at,
    `"${expression}" starts runs on days that match both the day of month "${day}" and the day of week "${weekday}"; in crontab, one match is enough`,
    `if one match is enough, write two expressions: cron: ["${dates}", "${weekdays}"]; if both must match, leave it as it is`,
  );
}

function problemOfFields(expression: string, fields: readonly string[]): string | undefined {
  const odd = fields.find((field) => !FIELDS.test(field) || FOREIGN.test(field));
  if (odd !== undefined) return `has the field "${odd}", which is invalid`;
  // Loaded here: a pipeline without a schedule does not pay for it.
  try {
    new Cron(expression, { paused: true });
    return undefined;
  } catch (error) {
    return `cannot be read: ${(error instanceof Error ? error.message : String(error)).replace(/^CronPattern: /, '')}`;
  }
}
