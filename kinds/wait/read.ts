import type { Report } from '../../compiler/diagnostics/diagnostic';
import type { Syntax } from '../../compiler/expression/syntax';
import { readExpression } from '../../compiler/expression/template';
import { type Entry, entryOf, type MappingNode } from '../../compiler/read/node';
import { checkKeys } from '../../compiler/shape/keys';
import { checkSignalName } from '../../compiler/shape/names';
import type { ReadContext } from '../../compiler/shape/read-context';
import type { StepSource } from '../../compiler/shape/source';
import { conflict, durationEither, durationOf, textOf, wrongType } from '../../compiler/shape/values';
import { keysOf } from '../../compiler/shape/vocabulary';
import { readMoment as namesMoment } from '../../plan/text/moment';
import type { WaitSource } from './source';

const FORMS = 'write a duration such as 10m, {until: moment} or {signal: name, timeout: 1h}';

/** A duration, `{until}` or `{signal, timeout}`. The timeout of a signal is the step's own. */
export function readWait(node: MappingNode, step: StepSource, { report }: ReadContext): WaitSource {
  const work: WaitSource = {};
  const entry = entryOf(node, 'wait');
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

/** The signal's own timeout wins over one of `defaults`. */
function readTimeout(node: MappingNode, body: MappingNode, step: StepSource, report: Report): void {
  const inner = entryOf(body, 'timeout');
  const outer = entryOf(node, 'timeout') ?? entryOf(node, 'timeout_ms');
  if (inner && outer && isWithin(outer, node)) conflict(inner, outer, report);
  const timeoutMs = durationEither(inner, undefined, report);
  if (timeoutMs !== undefined) step.timeoutMs = timeoutMs;
}

/** A wait has only its own timeout: a default for every step would cancel a longer wait. */
function withoutDefaultTimeout(node: MappingNode, step: StepSource): void {
  const timeout = entryOf(node, 'timeout') ?? entryOf(node, 'timeout_ms');
  if (timeout && !isWithin(timeout, node)) delete step.timeoutMs;
}

function isWithin({ keyAt }: Entry, { at }: MappingNode): boolean {
  return keyAt.source === at.source && keyAt.start >= at.start && keyAt.end <= at.end;
}

const ISO = /^\d{4}-\d\d-\d\d/;

/** Reads ISO 8601 text unchanged, or an expression. */
function readMoment(entry: Entry, report: Report): Syntax | undefined {
  const { value, key } = entry;
  if (value.kind !== 'scalar') return wrongType(value, key, 'a moment', report, 'write ISO 8601 text or an expression');
  if (!ISO.test(value.text)) return readExpression(value, report);
  if (namesMoment(value.text, 'UTC') !== undefined) return { kind: 'literal', at: value.at, value: value.text };
  return wrongType(value, key, 'a moment', report, 'write it as 2026-12-24T18:00, or with an offset: 2026-12-24T18:00:00Z');
}
