import type { ScriptedOutcome, ScriptedReply } from '../../plan/agents/script';
import type { Usage } from '../../plan/budgets/usage';
import { FAILURES, isFailureCode } from '../../plan/run/failure';
import { joined } from '../../plan/text/joined';
import type { Report } from '../diagnostics/diagnostic';
import { didYouMean } from '../diagnostics/suggest';
import { spelledOf } from '../read/json';
import { type Entry, entryOf, type SourceNode } from '../read/node';
import { checkKeys, requireKey } from '../shape/keys';
import { booleanOf, durationOf, integerOf, mappingOf, textOf, textsOf, wrongType } from '../shape/values';
import { readCalls } from './calls';
import { readDelay } from './delay';

const OUTCOMES = ['json', 'text', 'fail', 'hang'] as const;
const MAX_COUNT = 1_000_000;

/** Reads one entry under `replies:`: for which round, try and request it is, and the reply. */
export function readScriptedReply(node: SourceNode, report: Report): ScriptedReply | undefined {
  if (node.kind !== 'mapping') return wrongType(node, 'replies', 'a list of replies such as {json: …}', report);
  checkKeys(
    node,
    { what: 'a reply', known: ['round', 'try', 'ask', 'iteration', 'prompt', 'after', 'calls', ...OUTCOMES, 'cut', 'usage'] },
    report,
  );
  const [first, second] = node.entries.filter(({ key }) => OUTCOMES.some((outcome) => outcome === key));
  if (!first) {
    report('script.bad-reply', node.at, 'the reply has none of json, text, fail and hang', 'add one of them');
    return undefined;
  }
  if (second) report('script.bad-reply', second.keyAt, `the reply has both "${second.key}" and "${first.key}"`, 'keep one of the two');
  const outcome = readOutcome(first, report);
  const counts: Pick<ScriptedReply, 'round' | 'try' | 'ask' | 'iteration'> = {};
  for (const key of ['round', 'try', 'ask'] as const) {
    const entry = entryOf(node, key);
    const count = entry && integerOf(entry, 1, MAX_COUNT, report);
    if (count !== undefined) counts[key] = count;
  }
  const [iteration, prompt, after, usage, calls] = ['iteration', 'prompt', 'after', 'usage', 'calls'].map((key) => entryOf(node, key));
  const iterations = iteration && readIteration(iteration, report);
  if (iterations) counts.iteration = iterations;
  const texts = prompt && textsOf(prompt, report)?.map(({ value }) => value);
  const cut = entryOf(node, 'cut');
  const afterMs = after && readDelay(after, report);
  const used = usage && readUsage(usage, report);
  const called = calls && readCalls(calls, report);
  if (!outcome) return undefined;
  const reply: ScriptedReply = { ...counts, reply: outcome };
  if (texts) reply.prompt = texts;
  if (called && called.length > 0) reply.calls = called;
  if (afterMs !== undefined) reply.afterMs = afterMs;
  if (used) reply.usage = used;
  if (cut && booleanOf(cut, report)) reply.cut = true;
  return reply;
}

/** Reads `2`, or `[0, 2]` with the outermost loop first. */
export function readIteration(entry: Entry, report: Report): number[] | undefined {
  const items = entry.value.kind === 'sequence' ? entry.value.items : [entry.value];
  const counts = items.map((value) => integerOf({ ...entry, value }, 0, MAX_COUNT, report));
  return counts.length > 0 && counts.every((count) => count !== undefined) ? counts : undefined;
}

function readOutcome(entry: Entry, report: Report): ScriptedOutcome | undefined {
  switch (entry.key) {
    case 'json':
      return joined({ kind: 'json' }, { value: spelledOf(entry.value) });
    case 'text':
      if (entry.value.kind === 'scalar' && typeof entry.value.value === 'string') return { kind: 'text', text: entry.value.value };
      return wrongType(entry.value, 'text', 'text', report, 'put it in quotes');
    case 'hang':
      if (booleanOf(entry, report) === false)
        report('script.bad-reply', entry.value.at, '"hang" is false', 'write `hang: true`, or another outcome');
      return { kind: 'hang' };
    default:
      return readFail(entry, report);
  }
}

function readFail(entry: Entry, report: Report): ScriptedOutcome | undefined {
  const node = mappingOf(entry, report, 'a mapping {code, message}');
  if (!node) return undefined;
  checkKeys(node, { what: '"fail"', known: ['code', 'message', 'retry_after'] }, report);
  requireKey(node, 'code', '"fail"', report, 'add `code: model.api-error`');
  const [codeEntry, messageEntry, retryAfter] = [entryOf(node, 'code'), entryOf(node, 'message'), entryOf(node, 'retry_after')];
  const code = codeEntry && textOf(codeEntry, report);
  const message = messageEntry && textOf(messageEntry, report);
  const retryAfterMs = retryAfter && durationOf(retryAfter, report);
  if (!code) return undefined;
  if (!isFailureCode(code.value)) {
    const known = Object.keys(FAILURES);
    report(
      'script.bad-reply',
      code.at,
      `"${code.value}" is not a failure code`,
      didYouMean(code.value, known) ?? `known: ${known.join(', ')}`,
    );
    return undefined;
  }
  const fail: ScriptedOutcome = { kind: 'fail', code: code.value, message: message?.value ?? FAILURES[code.value].doc };
  return retryAfterMs === undefined ? fail : { ...fail, retryAfterMs };
}

const TOKENS = [
  ['input_tokens', 'inputTokens'],
  ['output_tokens', 'outputTokens'],
  ['cache_read_tokens', 'cacheReadTokens'],
  ['cache_write_tokens', 'cacheWriteTokens'],
] as const;
const MICRO_USD = 1_000_000;

/** Reads a reply's usage. Unknown cost is null: `cost_usd` is in dollars and becomes integer millionths. */
function readUsage(entry: Entry, report: Report): Partial<Usage> | undefined {
  const node = mappingOf(entry, report);
  if (!node) return undefined;
  checkKeys(node, { what: '"usage"', known: [...TOKENS.map(([key]) => key), 'cost_usd'] }, report);
  const usage: Partial<Usage> = { costMicroUsd: null };
  for (const [key, field] of TOKENS) {
    const count = entryOf(node, key);
    const tokens = count && integerOf(count, 0, Number.MAX_SAFE_INTEGER, report);
    if (tokens !== undefined) usage[field] = tokens;
  }
  const cost = entryOf(node, 'cost_usd')?.value;
  if (cost?.kind === 'scalar' && typeof cost.value === 'number' && cost.value >= 0) usage.costMicroUsd = Math.round(cost.value * MICRO_USD);
  else if (cost && !(cost.kind === 'scalar' && cost.value === null)) wrongType(cost, 'cost_usd', 'an amount of dollars', report);
  return usage;
}
