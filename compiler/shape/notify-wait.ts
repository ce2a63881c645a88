import type { Report } from '../diagnostics/diagnostic';
import type { Syntax } from '../expression/syntax';
import { readExpression } from '../expression/template';
import { type Entry, entryOf, type MappingNode } from '../read/node';
import { checkKeys, requireKey } from './keys';
import { checkSignalName } from './names';
import type { NotifySource, StepSource, WaitSource } from './source';
import { templateAt } from './template-value';
import { conflict, durationEither, durationOf, mappingOf, textOf, wrongType } from './values';
import { keysOf } from './vocabulary';

export function readNotify(node: MappingNode, report: Report): NotifySource {
  const work: NotifySource = { kind: 'notify' };
  const entry = entryOf(node, 'notify');
  requireKey(node, 'notify', 'a step of kind "notify"', report, 'add `notify: {channel: "#updates", message: "…"}`');
  const body = entry && mappingOf(entry, report, 'a mapping {channel, message}');
  if (!body) return work;
  checkKeys(body, { what: 'a notification', known: keysOf('notify') }, report);
  requireKey(body, 'channel', 'the notification', report);
  requireKey(body, 'message', 'the notification', report);
  const [channel, message, reported] = ['channel', 'message', 'report'].map((key) => entryOf(body, key));
  const where = channel && textOf(channel, report);
  if (where) work.channel = where;
  const template = message && textOf(message, report) && templateAt(message, report);
  if (template) work.message = template;
  const step = reported && textOf(reported, report);
  if (step) work.report = step;
  return work;
}

const FORMS = 'write a duration such as 10m, {until: moment} or {signal: name, timeout: 1h}';

/** A duration, `{until}` or `{signal, timeout}`. The time-out of a signal is the step's own. */
export function readWait(node: MappingNode, step: StepSource, report: Report): WaitSource {
  const work: WaitSource = { kind: 'wait' };
  const entry = entryOf(node, 'wait');
  requireKey(node, 'wait', 'a step of kind "wait"', report, 'add `wait: 10m`');
  if (!entry) return work;
  if (entry.value.kind !== 'mapping' || !entryOf(entry.value, 'signal')) withoutDefaultTimeout(node, step);
  if (entry.value.kind !== 'mapping') {
    const forMs = durationOf(entry, report);
    if (forMs !== undefined) work.forMs = forMs;
    return work;
  }
  const body = entry.value;
  const [until, signal] = [entryOf(body, 'until'), entryOf(body, 'signal')];
  if (until && signal) conflict(until, signal, report);
  const both = [...keysOf('until'), ...keysOf('signal')];
  const known = until && !signal ? keysOf('until') : signal && !until ? keysOf('signal') : both;
  checkKeys(body, { what: '"wait"', known, elsewhere: keysOf('signal') }, report);
  if (!until && !signal) report('shape.missing-key', entry.keyAt, '"wait" has neither "until" nor "signal"', FORMS);
  const moment = until && readMoment(until, report);
  if (moment) work.until = moment;
  const name = !until && signal && textOf(signal, report);
  if (name && checkSignalName(name, report)) work.signal = name.value;
  if (name || !until) readTimeout(node, body, step, report);
  return work;
}

/** The signal's own time-out wins over one that the step has by `defaults`. */
function readTimeout(node: MappingNode, body: MappingNode, step: StepSource, report: Report): void {
  const inner = entryOf(body, 'timeout');
  const outer = entryOf(node, 'timeout') ?? entryOf(node, 'timeout_ms');
  if (inner && outer && isWithin(outer, node)) conflict(inner, outer, report);
  const timeoutMs = durationEither(inner, undefined, report);
  if (timeoutMs !== undefined) step.timeoutMs = timeoutMs;
}

/** A wait has a time-out where it says so itself: one that every step gets would call off a longer wait. */
function withoutDefaultTimeout(node: MappingNode, step: StepSource): void {
  const timeout = entryOf(node, 'timeout') ?? entryOf(node, 'timeout_ms');
  if (timeout && !isWithin(timeout, node)) delete step.timeoutMs;
}

function isWithin({ keyAt }: Entry, { at }: MappingNode): boolean {
  return keyAt.source === at.source && keyAt.start >= at.start && keyAt.end <= at.end;
}

const ISO = /^\d{4}-\d\d-\d\d/;

/** ISO 8601 text as it is, or an expression. */
function readMoment(entry: Entry, report: Report): Syntax | undefined {
  const { value, key } = entry;
  if (value.kind !== 'scalar') return wrongType(value, key, 'a moment', report, 'write ISO 8601 text or an expression');
  if (!ISO.test(value.text)) return readExpression(value, report);
  if (!Number.isNaN(Date.parse(value.text))) return { kind: 'literal', at: value.at, value: value.text };
  return wrongType(value, key, 'a moment', report, 'write it as 2026-12-24T18:00:00Z');
}
