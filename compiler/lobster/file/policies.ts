import type { Expr } from '../../../plan/expressions/expression';
import type { RetryPolicy, StepBase } from '../../../plan/steps/step';
import type { Report } from '../../diagnostics/diagnostic';
import { LONGEST_MS as LONGEST_WAIT_MS } from '../../language/ranges';
import { type Entry, entryOf, type MappingNode, type SourceNode } from '../../read/node';
import { spansWithin } from '../../read/offsets';
import { readCondition } from '../text/condition';
import type { LobsterResults } from '../text/results';
import { badValue, type LobsterContext, type LobsterScope } from './context';

/**
 * Reads `timeout_ms`, `retry` and `on_error`. Lobster looks at them only on the file's own steps; here they also hold in branches and
 * loops, and a value there that Lobster would have refused is skipped.
 */
export const POLICY_KEYS = ['timeout_ms', 'retry', 'on_error'];

const LONGEST_MS = 2_147_483_647;
const DEFAULT_MAX_DELAY_MS = 30_000;

export function readPolicies(node: MappingNode, base: StepBase, who: string, place: LobsterScope, context: LobsterContext): void {
  const refuse = (at: SourceNode, message: string): undefined => badValue(at.at, `${who} ${message}`, place, context);
  const timeout = entryOf(node, 'timeout_ms')?.value;
  if (timeout) {
    const ms = timeoutMs(timeout);
    if (ms === undefined) refuse(timeout, TIMEOUT_WANTED);
    else base.timeoutMs = ms;
  }
  const onError = entryOf(node, 'on_error')?.value;
  if (onError) {
    const word = onError.kind === 'scalar' ? onError.value : undefined;
    if (word === 'continue' || word === 'skip_rest') base.onError = [{ kind: word }];
    else if (word !== 'stop') refuse(onError, 'on_error must be "stop", "continue", or "skip_rest"');
  }
  const retry = entryOf(node, 'retry')?.value;
  const policy = retry && readRetry(retry, refuse);
  if (policy && policy.max > 1) base.retry = policy;
}

export const TIMEOUT_WANTED = `timeout_ms must be a positive integer between 1 and ${LONGEST_MS}`;

export function timeoutMs(node: SourceNode): number | undefined {
  const value = numberIn(node);
  return value !== undefined && Number.isInteger(value) && value >= 1 && value <= LONGEST_MS ? value : undefined;
}

/** A pause or delay in milliseconds. Lobster has no upper limit; a timer here is never longer than the language's. */
export function delayIn(node: SourceNode): number | undefined {
  const ms = numberIn(node);
  return ms !== undefined && ms >= 0 ? Math.min(Math.round(ms), LONGEST_WAIT_MS) : undefined;
}

export function numberIn(node: SourceNode): number | undefined {
  return node.kind === 'scalar' && typeof node.value === 'number' ? node.value : undefined;
}

function readRetry(node: SourceNode, refuse: (at: SourceNode, message: string) => undefined): RetryPolicy | undefined {
  if (node.kind !== 'mapping') return refuse(node, 'retry must be an object');
  const get = (key: string): SourceNode | undefined => entryOf(node, key)?.value;
  const policy: RetryPolicy = { max: 1 };
  const max = get('max');
  const tries = max && numberIn(max);
  if (tries !== undefined && Number.isInteger(tries) && tries >= 1) policy.max = tries;
  else if (max) refuse(max, 'retry.max must be a positive integer');
  const backoff = get('backoff');
  const word = backoff?.kind === 'scalar' ? backoff.value : undefined;
  if (word === 'exponential') policy.backoff = word;
  else if (backoff && word !== 'fixed') refuse(backoff, 'retry.backoff must be "fixed" or "exponential"');
  const delay = (key: string): number | undefined => {
    const given = get(key);
    const ms = given && delayIn(given);
    if (ms !== undefined) return ms;
    return given && refuse(given, `retry.${key} must be a finite non-negative number`);
  };
  const [delayMs, maxDelayMs] = [delay('delay_ms'), delay('max_delay_ms')];
  if (delayMs !== undefined) policy.delayMs = delayMs;
  if (maxDelayMs !== undefined) policy.maxDelayMs = maxDelayMs;
  // A fixed delay has no ceiling in Lobster.
  if (policy.backoff === undefined && delayMs !== undefined && delayMs > (maxDelayMs ?? DEFAULT_MAX_DELAY_MS)) policy.maxDelayMs = delayMs;
  const jitter = get('jitter');
  if (jitter?.kind === 'scalar' && typeof jitter.value === 'boolean') {
    if (jitter.value) policy.jitter = true;
  } else if (jitter) refuse(jitter, 'retry.jitter must be a boolean');
  return policy;
}

/** Reads `when`, or else `condition`. Absent: always. */
export function readWhen(node: MappingNode, results: LobsterResults, { report }: LobsterContext): Expr | undefined {
  const isGiven = (entry: Entry | undefined): boolean =>
    entry !== undefined && !(entry.value.kind === 'scalar' && entry.value.value === null);
  const [when, condition] = [entryOf(node, 'when'), entryOf(node, 'condition')];
  if (when && condition && isGiven(when) && isGiven(condition))
    report('lobster.ignored', condition.keyAt, '"condition" is ignored: "when" wins', 'keep one of the two');
  const entry = isGiven(when) ? when : isGiven(condition) ? condition : undefined;
  return entry && readTest(entry, results, report);
}

function readTest({ value: node }: Entry, results: LobsterResults, report: Report): Expr | undefined {
  if (node.kind === 'scalar' && node.faulty) return undefined;
  const value = node.kind === 'scalar' ? node.value : undefined;
  const text = typeof value === 'string' ? value.trim() : undefined;
  if (value === true || text === 'true') return undefined;
  if (value === false || text === 'false') return { kind: 'literal', value: false };
  if (node.kind !== 'scalar' || text === undefined) {
    report('lobster.bad-condition', node.at, 'Unsupported condition type', 'write true, false or text such as $step.approved');
    return undefined;
  }
  const read = readCondition(node.text, results);
  if (read.expr) return read.expr;
  const { fault } = read;
  const code = fault.kind === 'syntax' ? 'lobster.bad-condition' : 'lobster.unknown-step';
  report(code, spansWithin(node)(fault.start, fault.end), fault.message, fault.hint);
  return undefined;
}
