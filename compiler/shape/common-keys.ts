import { ALLOW_OR_HOLD, type BudgetSpec } from '../../plan/budgets/budget';
import type { RetryPolicy } from '../../plan/steps/step';
import type { Located, Report } from '../diagnostics/diagnostic';
import { readExpression } from '../expression/template';
import { MOST_USD, RANGES } from '../language/ranges';
import { type Entry, entryOf, type MappingNode } from '../read/node';
import { readActions } from './action';
import { checkKeys, requireKey } from './keys';
import type { StepSource } from './source';
import { templateAt } from './template-value';
import {
  booleanOf,
  conflict,
  durationEither,
  durationOf,
  integerOf,
  mappingOf,
  namesOf,
  numberOf,
  textOf,
  wordOf,
  wrongType,
} from './values';
import { keysOf } from './vocabulary';

/** Reads the keys that every step has. */
export function readCommon(node: MappingNode, step: StepSource, report: Report): void {
  const get = (key: string): Entry | undefined => entryOf(node, key);
  const description = get('description');
  const text = description && textOf(description, report);
  if (text) step.description = text.value.trim();

  const [dependsOn, needs] = [get('depends_on'), get('needs')];
  if (dependsOn && needs) conflict(dependsOn, needs, report);
  const after = dependsOn ?? needs;
  if (after) {
    step.after = namesOf(after, report) ?? [];
    step.afterAt = after.keyAt;
  }

  const branches = get('after');
  const awaited = branches && namesOf(branches, report);
  if (awaited && awaited.length > 0) step.awaits = awaited;

  const [when, condition] = [get('when'), get('condition')];
  if (when && condition) conflict(when, condition, report);
  const test = when ?? condition;
  if (test) step.whenAt = test.keyAt;
  if (test && test.value.kind !== 'scalar') wrongType(test.value, test.key, 'an expression', report, 'put the expression in quotes');
  else if (test && test.value.kind === 'scalar') {
    const syntax = readExpression(test.value, report);
    if (syntax) step.when = syntax;
  }

  const timeoutMs = durationEither(get('timeout'), get('timeout_ms'), report);
  if (timeoutMs !== undefined) step.timeoutMs = timeoutMs;
  const retry = get('retry');
  const policy = retry && readRetry(retry, report);
  if (policy) step.retry = policy;
  const onError = get('on_error');
  // Actions that do not parse are an empty list, and not absent: the step may still continue after a failure.
  if (onError) step.onError = readActions(onError, 'on_error', report) ?? [];
  readPlacement(node, step, report);
}

const QUEUE = /^[A-Za-z][A-Za-z0-9._-]{0,63}$/;

/** Reads where the step is worked on, how it is shown, and what it may cost. */
function readPlacement(node: MappingNode, step: StepSource, report: Report): void {
  const [queue, priority, summary, budget] = ['queue', 'priority', 'summary', 'budget'].map((key) => entryOf(node, key));
  const capability = queue && textOf(queue, report);
  if (capability && QUEUE.test(capability.value)) step.queue = capability.value;
  else if (capability)
    report('names.invalid', capability.at, `"${capability.value}" is not a valid name for a capability`, 'write a word such as gpu');
  const rank = priority && integerOf(priority, RANGES.priority.min, RANGES.priority.max, report);
  const known = PRIORITIES.find((candidate) => candidate === rank);
  if (known !== undefined) step.priority = known;
  const line = summary && textOf(summary, report) && templateAt(summary, report);
  if (line) step.summary = line;
  const ceilings = budget && readBudget(budget, report);
  if (ceilings) step.budget = ceilings;
}

const PRIORITIES = [1, 2, 3, 4, 5] as const;
const MICRO_USD = 1_000_000;

/** Reads `{tokens, usd, wall_clock, …}`; dollars become whole millionths. */
export function readBudget(entry: Entry, report: Report): Located<BudgetSpec> | undefined {
  const node = mappingOf(entry, report, 'a mapping such as {tokens: 50000, usd: 2.5}');
  if (!node) return undefined;
  checkKeys(node, { what: '"budget"', known: keysOf('budget') }, report);
  const get = (key: string): Entry | undefined => entryOf(node, key);
  const whole = (key: string, range: { min: number; max: number }): number | undefined => {
    const found = get(key);
    return found && integerOf(found, range.min, range.max, report);
  };
  const spec: BudgetSpec = {};
  const tokens = whole('tokens', RANGES.tokens);
  if (tokens !== undefined) spec.tokens = tokens;
  const [usd, clock] = [get('usd'), get('wall_clock')];
  const dollars = usd && numberOf(usd, 0, MOST_USD, report);
  if (dollars !== undefined) spec.costMicroUsd = Math.max(1, Math.round(dollars * MICRO_USD));
  const wallClockMs = clock && durationOf(clock, report);
  if (wallClockMs !== undefined) spec.wallClockMs = wallClockMs;
  const calls = whole('tool_calls_per_step', RANGES.toolCalls);
  if (calls !== undefined) spec.toolCallsPerStep = calls;
  const retries = whole('retries_per_step', RANGES.retriesPerStep);
  if (retries !== undefined) spec.retriesPerStep = retries;
  const words = [
    ['on_unknown_cost', 'onUnknownCost'],
    ['on_unlimited', 'onUnlimited'],
  ] as const;
  for (const [key, name] of words) {
    const written = get(key);
    const word = written && wordOf(written, ALLOW_OR_HOLD, report);
    if (word) spec[name] = word.value;
  }
  return { value: spec, at: entry.keyAt };
}

/** The longest delay between two tries if `max_delay` is not written. */
const MAX_DELAY_MS = 30_000;

function readRetry(entry: Entry, report: Report): RetryPolicy | undefined {
  const node = mappingOf(entry, report, 'a mapping such as {max: 3, delay: 2s}');
  if (!node) return undefined;
  const get = (key: string): Entry | undefined => entryOf(node, key);
  checkKeys(node, { what: '"retry"', known: keysOf('retry'), place: 'key of retry' }, report);
  requireKey(node, 'max', '"retry"', report, 'add `max: 3`: tries in all, the first included');
  const [max, backoff, jitter] = [get('max'), get('backoff'), get('jitter')];
  const policy: RetryPolicy = { max: (max && integerOf(max, RANGES.tries.min, RANGES.tries.max, report)) ?? 1 };
  const kind = backoff && wordOf(backoff, ['fixed', 'exponential'], report);
  if (kind?.value === 'exponential') policy.backoff = kind.value;
  const delayMs = durationEither(get('delay'), get('delay_ms'), report);
  if (delayMs !== undefined) policy.delayMs = delayMs;
  const maxDelayMs = durationEither(get('max_delay'), get('max_delay_ms'), report);
  if (maxDelayMs !== undefined) policy.maxDelayMs = maxDelayMs;
  // A delay that the author wrote is not cut short by the default ceiling.
  else if (delayMs !== undefined && delayMs > MAX_DELAY_MS) policy.maxDelayMs = delayMs;
  if (jitter && booleanOf(jitter, report)) policy.jitter = true;
  return policy;
}
