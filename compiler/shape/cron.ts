import { Cron } from 'croner';
import type { Located, Report } from '../diagnostics/diagnostic';
import type { Entry } from '../read/node';
import { textOf } from './values';

/** Reads a cron expression. */
export function cronAt(entry: Entry, report: Report): Located<string> | undefined {
  const text = textOf(entry, report);
  return text && checkCron(text, report) ? { ...text, value: text.value.trim() } : undefined;
}

const FIELDS = /^[\d*/,A-Za-z-]+$/;
/** Syntax that some cron dialects have and Temporal's has not. */
const FOREIGN = /(?:^|[\d,])[LW](?:$|[\d,])|#|\?/;
const SHORTHAND = /^@(?:yearly|annually|monthly|weekly|daily|midnight|hourly)$/;

/** Five fields, as Temporal's schedules take them. */
export function checkCron(text: Located<string>, report: Report): boolean {
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
