import { CALLED_KINDS, type CalledKind } from '../../kinds/traits';
import { defined } from '../../plan/defined';
import { RETRIES_PER_STEP } from '../../plan/plan';
import type { Located, Report, SourceSpan } from '../diagnostics/diagnostic';
import { didYouMean, listWords } from '../diagnostics/suggest';
import { ACTIONS_OF, type ActionKey } from '../language/actions';
import { foreignRow, hintOfRow } from '../language/foreign-word-hint';
import { type Entry, entryOf, type MappingNode, type ScalarNode, type SourceNode } from '../read/node';
import { type SpanWithin, spansWithin } from '../read/offsets';
import { readCallSyntax, unquote } from './call';
import { checkKeys } from './keys';
import { deciderOf, readTarget, type TargetSource, targetIn } from './target';
import { integerOf, textOf, wrongType } from './values';

export type { ActionKey };

/** An action as written, as a call (`retry(step, max=3)`) or as an object (`{retry: step, max: 3}`). */
export type ActionSource =
  | { kind: 'retry'; at: SourceSpan; step: Located<string>; max: number }
  | { kind: 'escalate'; at: SourceSpan; to: TargetSource }
  | CallSource
  | { kind: 'return_to_author'; at: SourceSpan; max: number }
  | { kind: 'notify'; at: SourceSpan; channel: Located<string> }
  | { kind: ActionWord; at: SourceSpan };

/** Calls a step of that kind. */
export interface CallSource {
  kind: CalledKind;
  at: SourceSpan;
  step: Located<string>;
}

const WORDS = ['stop', 'continue', 'skip_rest', 'hold', 'skip', 'approve', 'reject', 'wait'] as const;
type ActionWord = (typeof WORDS)[number];
export type ActionKind = ActionSource['kind'];

const CALLS = ['retry', 'escalate', ...CALLED_KINDS, 'notify', 'return_to_author'] as const;
const MAX_ROUNDS = 100;

/** Reads one action or a list of them; undefined if none of them can be read. */
export function readActions(entry: Entry, key: ActionKey, report: Report): ActionSource[] | undefined {
  const nodes = entry.value.kind === 'sequence' ? joinSplit(entry.value.items, report) : [entry.value];
  const actions = nodes.flatMap((node) => readAction(node, key, report) ?? []);
  if (entry.value.kind === 'sequence' && entry.value.items.length === 0) {
    report('shape.out-of-range', entry.value.at, `"${key}" is an empty list`, 'write an action, or remove the key');
  }
  return actions.length > 0 ? actions : undefined;
}

/** A limit that no valid action reaches. */
const MOST_PARTS = 8;

/** Joins `[retry(a, max=3)]`, which reaches us as two items because YAML splits at the comma. */
function joinSplit(items: readonly SourceNode[], report: Report): SourceNode[] {
  const whole: SourceNode[] = [];
  for (let i = 0; i < items.length; i++) {
    const item = items[i];
    if (!item) continue;
    const next = isOpen(item)
      ? items.slice(i + 1, i + MOST_PARTS).findIndex((part) => part.kind === 'scalar' && part.text.includes(')'))
      : -1;
    const end = i + 1 + next;
    if (next < 0 || item.kind !== 'scalar') {
      whole.push(item);
      continue;
    }
    const text = items.slice(i, end + 1).map((part) => (part.kind === 'scalar' ? part.text : ''));
    const at = { ...item.at, end: items[end]?.at.end ?? item.at.end };
    report('action.syntax', at, `YAML splits "${text.join(', ')}" at the comma`, `put it in quotes: ${JSON.stringify(text.join(', '))}`);
    i = end;
  }
  return whole;
}

function isOpen(node: SourceNode): boolean {
  return node.kind === 'scalar' && node.style === 'plain' && node.text.includes('(') && !node.text.includes(')');
}

function readAction(node: SourceNode, key: ActionKey, report: Report): ActionSource | undefined {
  if (node.kind === 'sequence') return wrongType(node, key, 'an action or a list of actions', report);
  const action = node.kind === 'mapping' ? fromObject(node, report) : fromText(node, key, report);
  if (!action) return undefined;
  const allowed: readonly ActionKind[] = ACTIONS_OF[key];
  if (allowed.includes(action.kind)) return action;
  report('action.not-here', action.at, `"${key}" does not take "${action.kind}"`, `it takes ${listWords(allowed)}`);
  return undefined;
}

function fromText(node: ScalarNode, key: ActionKey, report: Report): ActionSource | undefined {
  if (typeof node.value !== 'string') return wrongType(node, key, 'an action', report, `such as ${listWords(WORDS.slice(0, 3))}`);
  if (node.faulty) return undefined;
  const spotOf = spansWithin(node);
  const call = readCallSyntax(node.text);
  const args = call?.arguments ?? [];
  const [first] = args;
  const at = node.at;
  const word = WORDS.find((w) => w === call?.name);
  if (call && word !== undefined && !call.arguments) return { kind: word, at };
  if (call?.name === 'retry' && first && first.key === undefined && args.length <= 2) {
    const max = args[1];
    if (max && (max.key !== 'max' || !isRounds(max.text))) {
      report(
        'action.syntax',
        spotOf(max.start, max.end),
        `"${max.text}" is not the number of rounds`,
        `write it as retry(${first.text}, max=3), ${MAX_ROUNDS} at most`,
      );
      return undefined;
    }
    return { kind: 'retry', at, step: locate(first, spotOf), max: max ? Number(max.text) : RETRIES_PER_STEP };
  }
  if (call?.name === 'return_to_author' && args.length <= 1) {
    if (!first) return { kind: 'return_to_author', at, max: RETRIES_PER_STEP };
    if (first.key === 'max' && isRounds(first.text)) return { kind: 'return_to_author', at, max: Number(first.text) };
    const hint = `write it as return_to_author(max=3), ${MAX_ROUNDS} at most`;
    report('action.syntax', spotOf(first.start, first.end), `"${first.text}" is not the number of times`, hint);
    return undefined;
  }
  if (call?.name === 'escalate' && first && args.length <= 2) {
    const to = readTarget(first.text, spotOf(first.start, first.end), first.start, spotOf);
    const second = args[1];
    const decides = second && deciderOf(second, spotOf(second.start, second.end), report);
    if (second && !decides) return undefined;
    if (to) return { kind: 'escalate', at, to: { ...to, ...defined({ decides }) } };
  }
  const called = CALLED_KINDS.find((kind) => kind === call?.name);
  if (called && first && first.key === undefined && args.length === 1) return { kind: called, at, step: locate(first, spotOf) };
  if (call?.name === 'notify' && first && args.length === 1) return { kind: 'notify', at, channel: locate(first, spotOf) };
  report('action.syntax', at, `"${node.text}" is not an action`, hintOfAction(call?.name, key));
  return undefined;
}

function hintOfAction(name: string | undefined, key: ActionKey): string {
  const foreign = name === undefined ? undefined : foreignRow('action', name);
  const allowed: readonly string[] = ACTIONS_OF[key];
  if (foreign && allowed.some((action) => foreign[2]?.startsWith(action))) return hintOfRow(foreign);
  const others = [...WORDS, ...CALLS].filter((word) => word !== name);
  const meant = name === undefined ? undefined : didYouMean(name, others);
  return meant ?? 'write it as in retry(step, max=3), escalate(human), notify("#errors"), stop or continue';
}

function isRounds(text: string): boolean {
  return /^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= MAX_ROUNDS;
}

function locate(argument: { text: string; start: number; end: number }, spotOf: SpanWithin): Located<string> {
  return { value: unquote(argument.text), at: spotOf(argument.start, argument.end) };
}

function fromObject(node: MappingNode, report: Report): ActionSource | undefined {
  const verb = node.entries.find((entry) => CALLS.some((call) => call === entry.key));
  if (!verb) {
    report(
      'action.syntax',
      node.at,
      'this is not an action',
      'write it as {retry: step, max: 3}, {escalate: agent} or {notify: "#errors"}',
    );
    return undefined;
  }
  checkKeys(node, { what: `the action "${verb.key}"`, known: [verb.key, ...(BESIDE[verb.key] ?? [])] }, report);
  const at = node.at;
  if (verb.key === 'return_to_author') {
    const max = integerOf(verb, 1, MAX_ROUNDS, report);
    return max === undefined ? undefined : { kind: 'return_to_author', at, max };
  }
  const text = textOf(verb, report);
  if (!text) return undefined;
  if (verb.key === 'notify') return { kind: 'notify', at, channel: text };
  const called = CALLED_KINDS.find((kind) => kind === verb.key);
  if (called) return { kind: called, at, step: text };
  if (verb.key === 'retry') {
    const max = entryOf(node, 'max');
    return { kind: 'retry', at, step: text, max: (max && integerOf(max, 1, MAX_ROUNDS, report)) ?? RETRIES_PER_STEP };
  }
  const to = targetIn(verb, text, node, report);
  return to && { kind: 'escalate', at, to };
}

/** Keys that an action as an object takes in addition to its own. */
const BESIDE: Readonly<Record<string, readonly string[]>> = { retry: ['max'], escalate: ['decides'] };
