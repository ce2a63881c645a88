import { defined } from '../../plan/defined';
import { isTimezone } from '../../plan/text/timezone';
import type { Report, SourceSpan } from '../diagnostics/diagnostic';
import { TRIGGER_ROWS } from '../language/mappings/file';
import type { Entry, MappingNode } from '../read/node';
import { spansWithin } from '../read/offsets';
import { checkCron } from './cron';
import { checkKeys } from './keys';
import { readRows } from './read-rows';
import type { CronSource, TriggerSource } from './source';
import { textOf } from './values';
import { keysOf } from './vocabulary';

const CATCHUP_MS = 600_000;
const MANUAL: TriggerSource = { kind: 'manual' };
const FORMS = 'write `manual`, `cron "30 7 * * 1-5"` or {cron, timezone, …}';

/** Reads `manual`, `cron "30 7 * * 1-5"`, or a mapping. */
export function readTrigger(entry: Entry, report: Report): TriggerSource {
  if (entry.value.kind === 'mapping') return readSchedule(entry, entry.value, report);
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

function readSchedule(entry: Entry, node: MappingNode, report: Report): CronSource {
  checkKeys(node, { what: 'a trigger', known: keysOf('trigger'), place: 'key of trigger' }, report);
  const { cron = [], timezone, ...policy } = readRows(node, TRIGGER_ROWS, 'the trigger', { report });
  const trigger = cronTrigger(
    cron.map(({ value }) => value),
    entry.keyAt,
  );
  const { overlap, catchupMs, jitterMs, paused } = policy;
  Object.assign(trigger, defined({ overlap, catchupMs, jitterMs, paused: paused || undefined }));
  if (timezone && isTimezone(timezone.value)) trigger.timezone = timezone.value;
  else if (timezone)
    report('trigger.unknown-timezone', timezone.at, `"${timezone.value}" is not a time zone`, 'write a name such as UTC or Europe/Paris');
  return trigger;
}
