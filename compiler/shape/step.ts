import type { RetryPolicy, StepKind } from '../../plan/step';
import type { Report } from '../diagnostics/diagnostic';
import { didYouMean, listWords } from '../diagnostics/suggest';
import { readExpression } from '../expression/template';
import { type Entry, entryOf, type MappingNode, type SourceNode } from '../read/node';
import { readActions } from './action';
import { checkKeys, headOf, requireKey } from './keys';
import { checkName } from './names';
import type { StepSource } from './source';
import { booleanOf, conflict, durationEither, integerOf, mappingOf, namesOf, textOf, wordOf, wrongType } from './values';
import {
  ALL_STEP_KEYS,
  KIND_KEYS_LATER,
  REVIEW_OUTPUT,
  STEP_KEYS,
  STEP_KEYS_LATER,
  STEP_TYPES,
  STEP_TYPES_LATER,
  TELLING_KEYS,
} from './vocabulary';
import { readWork } from './work';

/** Reads one step. Its kind is chosen first, by `type` or by its keys; the kind says which keys may stand. */
export function readStep(node: SourceNode, report: Report): StepSource | undefined {
  if (node.kind !== 'mapping') return wrongType(node, 'steps', 'a list of steps, each a mapping with an "id"', report);
  const get = (key: string): Entry | undefined => entryOf(node, key);
  const idEntry = get('id');
  requireKey(node, 'id', 'a step', report);
  const id = idEntry && textOf(idEntry, report);
  if (id) checkName(id, 'step', report);
  const step: StepSource = { id: id?.value ?? '', at: id?.at ?? headOf(node) };

  const kind = kindOf(node, step.id, report);
  if (kind === 'later') readCommon(node, step, () => undefined);
  else {
    const known = kind === undefined ? ALL_STEP_KEYS : STEP_KEYS[kind];
    const what = kind === undefined ? 'a step' : `a step of kind "${kind}"`;
    checkKeys(node, { what, known, later: [...STEP_KEYS_LATER, ...KIND_KEYS_LATER], elsewhere: ALL_STEP_KEYS }, report);
    readCommon(node, step, report);
    if (kind !== undefined) step.work = readWork(kind, node, report);
  }
  return step;
}

function kindOf(node: MappingNode, id: string, report: Report): StepKind | 'later' | undefined {
  const telling = TELLING_KEYS.filter(([key]) => entryOf(node, key));
  const commands = telling.filter(([, kind]) => kind === 'command');
  const [first, second] = commands.map(([key]) => entryOf(node, key));
  if (first && second) conflict(first, second, report);

  const typeEntry = entryOf(node, 'type');
  if (typeEntry) return kindOfType(typeEntry, report);
  const later = node.entries.find((entry) => KIND_KEYS_LATER.includes(entry.key) || (entry.key === 'input' && telling.length === 0));
  if (later) {
    report(
      'language.unsupported',
      later.keyAt,
      `"${later.key}" is not supported yet`,
      'use agent, run, review, approval, notify and wait steps',
    );
    return 'later';
  }
  const [plain] = telling;
  if (!plain) {
    report(
      'step.no-kind',
      headOf(node),
      `it is not plain what step "${id}" does`,
      `add one of agent, run, argv, notify, wait, or type: ${listWords([...STEP_TYPES.keys()])}`,
    );
    return undefined;
  }
  const other = telling.find(([, kind]) => kind !== plain[1] && kind !== 'approval');
  const clash = other && entryOf(node, other[0]);
  if (clash) {
    report('step.several-kinds', clash.keyAt, `step "${id}" has "${plain[0]}" and "${clash.key}"`, 'make two steps of it');
    return undefined;
  }
  if (plain[1] !== 'agent') return plain[1];
  const output = entryOf(node, 'output')?.value;
  return output?.kind === 'scalar' && output.text === REVIEW_OUTPUT ? 'review' : 'agent';
}

function kindOfType(entry: Entry, report: Report): StepKind | 'later' | undefined {
  const type = textOf(entry, report);
  if (!type) return undefined;
  const kind = STEP_TYPES.get(type.value);
  if (kind !== undefined) return kind;
  if (STEP_TYPES_LATER.includes(type.value)) {
    report(
      'language.unsupported',
      type.at,
      `steps of type "${type.value}" are not supported yet`,
      `supported: ${listWords([...STEP_TYPES.keys()])}`,
    );
    return 'later';
  }
  const known = [...STEP_TYPES.keys()];
  report('step.unknown-type', type.at, `"${type.value}" is no type of step`, didYouMean(type.value, known, `known: ${listWords(known)}`));
  return undefined;
}

function readCommon(node: MappingNode, step: StepSource, report: Report): void {
  const get = (key: string): Entry | undefined => entryOf(node, key);
  const description = get('description');
  const text = description && textOf(description, report);
  if (text) step.description = text.value.trim();

  const [dependsOn, needs] = [get('depends_on'), get('needs')];
  if (dependsOn && needs) conflict(dependsOn, needs, report);
  const after = dependsOn ?? needs;
  if (after) step.after = namesOf(after, report) ?? [];

  const [when, condition] = [get('when'), get('condition')];
  if (when && condition) conflict(when, condition, report);
  const test = when ?? condition;
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
  const actions = onError && readActions(onError, 'on_error', report);
  if (actions) step.onError = actions;
}

const MAX_TRIES = 100;

function readRetry(entry: Entry, report: Report): RetryPolicy | undefined {
  const node = mappingOf(entry, report, 'a mapping such as {max: 3, delay: 2s}');
  if (!node) return undefined;
  const get = (key: string): Entry | undefined => entryOf(node, key);
  checkKeys(node, { what: '"retry"', known: ['max', 'backoff', 'delay', 'delay_ms', 'max_delay', 'max_delay_ms', 'jitter'] }, report);
  requireKey(node, 'max', '"retry"', report, 'add `max: 3`: tries in all, the first included');
  const [max, backoff, jitter] = [get('max'), get('backoff'), get('jitter')];
  const policy: RetryPolicy = { max: (max && integerOf(max, 1, MAX_TRIES, report)) ?? 1 };
  const kind = backoff && wordOf(backoff, ['fixed', 'exponential'], report);
  if (kind?.value === 'exponential') policy.backoff = kind.value;
  const delayMs = durationEither(get('delay'), get('delay_ms'), report);
  if (delayMs !== undefined) policy.delayMs = delayMs;
  const maxDelayMs = durationEither(get('max_delay'), get('max_delay_ms'), report);
  if (maxDelayMs !== undefined) policy.maxDelayMs = maxDelayMs;
  if (jitter && booleanOf(jitter, report)) policy.jitter = true;
  return policy;
}
