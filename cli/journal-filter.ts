import { INTENTS, type Intent } from '../plan/agents/envelope';
import { defined, unlessEmpty } from '../plan/defined';
import { FEEDBACK_TYPES, type FeedbackType } from '../plan/patterns/feedback';
import { JOURNAL_KINDS, type JournalEntry } from '../plan/run/journal';
import { durationMs } from '../plan/text/duration';
import type { Options } from './command';
import { usage } from './exit';
import { concerns } from './rendering/journal';

/** Which entries of a journal are wanted. An absent key filters nothing; for several values of one key, any matches. */
export interface JournalFilter {
  step?: string;
  kinds?: readonly JournalEntry['kind'][];
  /** Types of patterns' feedback signals; entries of other kinds have none and are left out. */
  types?: readonly FeedbackType[];
  /** Intents of envelopes; entries of other kinds have none and are left out. The same for `from` and `to`. */
  intents?: readonly Intent[];
  from?: string;
  to?: string;
  /** Only envelopes that nothing handles. */
  unrouted?: true;
  /** Milliseconds since the epoch. */
  sinceMs?: number;
  /** Entry numbers greater than this one. */
  after: number;
}

export function readJournalFilter(options: Options, now: number): JournalFilter {
  const kinds = known(options.list('kind'), JOURNAL_KINDS, '--kind');
  const types = known(options.list('type'), FEEDBACK_TYPES, '--type');
  const intents = known(options.list('intent'), INTENTS, '--intent');
  const [step, from, to, since] = [options.text('step'), options.text('from'), options.text('to'), options.text('since')];
  return {
    after: options.number('after') ?? 0,
    ...defined({
      kinds: unlessEmpty(kinds),
      types: unlessEmpty(types),
      intents: unlessEmpty(intents),
      step,
      from,
      to,
      unrouted: options.flag('unrouted') || undefined,
      sinceMs: since === undefined ? undefined : momentOf(since, now),
    }),
  };
}

export function fitsFilter(entry: JournalEntry, filter: JournalFilter): boolean {
  const { step, kinds, types, intents, from, to, unrouted, sinceMs, after } = filter;
  if (entry.seq <= after || (sinceMs !== undefined && Date.parse(entry.at) < sinceMs)) return false;
  if (kinds !== undefined && !kinds.includes(entry.kind)) return false;
  if (types !== undefined && !(entry.kind === 'pattern' && types.includes(entry.type))) return false;
  if (step !== undefined && !concerns(entry, step)) return false;
  if (unrouted && !(entry.kind === 'envelope' && entry.unrouted)) return false;
  if (intents === undefined && from === undefined && to === undefined) return true;
  if (entry.kind !== 'envelope') return false;
  const { envelope } = entry;
  return (intents?.includes(envelope.intent) ?? true) && (from ?? envelope.from) === envelope.from && (to ?? envelope.to) === envelope.to;
}

/**
 * Parses `10m` as ten minutes ago; else a day or a moment in ISO 8601. Nothing else is accepted: JavaScript reads a year out of any number.
 */
export function momentOf(text: string, now: number): number {
  const ago = durationMs(text);
  const at = ago === undefined ? Date.parse(MOMENT.test(text) ? text : '') : now - ago;
  if (Number.isNaN(at))
    throw usage(`--since takes a time ago or a moment, got "${text}"`, 'e.g. 10m, 7d, 2026-11-21 or 2026-11-21T07:30:00Z');
  return at;
}

const MOMENT = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?$/;

function known<W extends string>(given: readonly string[], words: readonly W[], option: string): W[] {
  return given.map((text) => {
    const word = words.find((other) => other === text);
    if (word === undefined) throw usage(`${option} must be one of ${words.join(', ')}, got "${text}"`);
    return word;
  });
}
