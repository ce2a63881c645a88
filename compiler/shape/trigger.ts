import { defined } from '../../plan/defined';
import { isTimezone } from '../../plan/text/timezone';
import type { Report, SourceSpan } from '../diagnostics/diagnostic';
import { TRIGGER_ROWS } from '../language/mappings/file';
import { spelledOf } from '../read/json';
import { type Entry, entryOf, type MappingNode } from '../read/node';
import { spansWithin } from '../read/offsets';
import { checkCron } from './cron';
import { checkKeys } from './keys';
import { checkName } from './names';
import { readRows } from './read-rows';
import type { CronSource, TriggerSource } from './source';
import { mappingOf, textOf } from './values';
import { keysOf } from './vocabulary';
import { readWebHook } from './web-hook';

const CATCHUP_MS = 600_000;
const FORMS = 'write `manual`, `cron "30 7 * * 1-5"`, {cron, timezone, …}, {webhook, signature, …}, or a list of all but the first';

/** Reads `manual`, `cron "30 7 * * 1-5"`, a mapping, or a list of several; empty for `manual`, and for what cannot be read. */
export function readTriggers(entry: Entry, report: Report): TriggerSource[] {
  if (entry.value.kind !== 'sequence') return readTrigger(entry, report, true);
  const { items, at } = entry.value;
  if (items.length === 0) report('shape.out-of-range', at, '"trigger" is an empty list', FORMS);
  const triggers = items.flatMap((value) => readTrigger({ ...entry, keyAt: value.at, value }, report, false));
  checkDistinct(triggers, report);
  return triggers;
}

function readTrigger(entry: Entry, report: Report, mayBeManual: boolean): TriggerSource[] {
  if (entry.value.kind === 'mapping') {
    const isHook = entryOf(entry.value, 'webhook') !== undefined;
    const trigger = (isHook ? readWebHook : readSchedule)(entry, entry.value, report);
    return trigger ? [trigger] : [];
  }
  const text = textOf(entry, report);
  if (!text || (mayBeManual && text.value.trim() === 'manual')) return [];
  const quoted = /^\s*cron\s+(["'])(.*)\1\s*$/.exec(text.value);
  const expression = quoted?.[2];
  if (expression === undefined || entry.value.kind !== 'scalar') {
    report('trigger.bad-cron', text.at, `the trigger "${text.value}" cannot be read`, FORMS);
    return [];
  }
  const start = text.value.search(/["']/) + 1;
  const at = spansWithin(entry.value)(start, start + expression.length);
  return checkCron({ value: expression, at }, report) ? [cronTrigger([expression], at)] : [];
}

function cronTrigger(expressions: string[], at: SourceSpan): CronSource {
  return { kind: 'cron', at, expressions, overlap: 'skip', catchupMs: CATCHUP_MS };
}

function readSchedule(entry: Entry, node: MappingNode, report: Report): CronSource {
  checkKeys(node, { what: 'a trigger', known: keysOf('trigger'), place: 'key of trigger' }, report);
  const { cron = [], timezone, name, ...policy } = readRows(node, TRIGGER_ROWS, 'the trigger', { report });
  const trigger = cronTrigger(
    cron.map(({ value }) => value),
    name?.at ?? entry.keyAt,
  );
  const { overlap, catchupMs, jitterMs, paused } = policy;
  Object.assign(trigger, defined({ overlap, catchupMs, jitterMs, paused: paused || undefined }));
  if (name) {
    checkName(name, 'trigger', report);
    trigger.name = name.value;
  }
  const args = argsOf(entryOf(node, 'args'), report);
  if (args.size > 0) trigger.args = args;
  if (timezone && isTimezone(timezone.value)) trigger.timezone = timezone.value;
  else if (timezone)
    report('trigger.unknown-timezone', timezone.at, `"${timezone.value}" is not a time zone`, 'write a name such as UTC or Europe/Paris');
  return trigger;
}

/** Whether the pipeline takes them is known only once all of its args are. */
function argsOf(entry: Entry | undefined, report: Report): NonNullable<CronSource['args']> {
  const entries = (entry && mappingOf(entry, report, 'a mapping of args to values'))?.entries ?? [];
  return new Map(entries.map(({ key, keyAt, value }) => [key, { value: spelledOf(value), at: value.at, keyAt }]));
}

/** Each schedule needs a name of its own, which it has from its trigger, and each web hook a path. */
function checkDistinct(triggers: readonly TriggerSource[], report: Report): void {
  const names = new Set<string | undefined>();
  const paths = new Set<string>();
  for (const trigger of triggers) {
    if (trigger.kind === 'cron') continue;
    const { path, pathAt } = trigger;
    if (paths.has(path)) report('trigger.same-path', pathAt, `two web hooks have the path "${path}"`, 'give each a path of its own');
    paths.add(path);
  }
  for (const { name, at } of triggers) {
    if (names.has(name)) {
      const what = name === undefined ? 'two triggers have no name' : `two triggers are called "${name}"`;
      report('trigger.same-name', at, what, 'give each a `name:` of its own; one of them may do without');
    }
    names.add(name);
  }
}
