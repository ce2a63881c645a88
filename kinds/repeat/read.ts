import { readExpression } from '../../compiler/expression/template';
import { RANGES } from '../../compiler/language/ranges';
import { type Entry, entryOf, type MappingNode } from '../../compiler/read/node';
import { readActions } from '../../compiler/shape/action';
import { checkKeys, requireKey } from '../../compiler/shape/keys';
import { checkName } from '../../compiler/shape/names';
import type { ReadContext } from '../../compiler/shape/read-context';
import type { RepeatSource, StepSource } from '../../compiler/shape/source';
import { conflict, durationEither, integerOf, mappingOf, textOf, wrongType } from '../../compiler/shape/values';
import { ALL_STEP_KEYS, bodyKeys } from '../../compiler/shape/vocabulary';

/** A block in rounds. Its keys are in a mapping of their own. */
export function readRepeat(node: MappingNode, step: StepSource, reading: ReadContext): RepeatSource {
  const { report } = reading;
  requireKey(node, 'repeat', 'a step of kind "repeat"', report, 'add `repeat: {until: …, max: 5, steps: […]}`');
  const entry = entryOf(node, 'repeat');
  const body = entry && mappingOf(entry, report, 'a mapping such as {until: …, max: 5, steps: […]}');
  if (!body) return { kind: 'repeat', steps: [] };
  checkKeys(body, { what: '"repeat"', known: bodyKeys('repeat'), elsewhere: ALL_STEP_KEYS }, report);
  const get = (key: string): Entry | undefined => entryOf(body, key);
  requireKey(body, 'until', '"repeat"', report, 'add `until:`, what holds once no further round is needed');
  requireKey(body, 'max', '"repeat"', report, 'add `max: 5`, the rounds after which it ends in any case');
  requireKey(body, 'steps', '"repeat"', report, 'add `steps:`, what is done in each round');
  const [until, max, steps, exhausted] = ['until', 'max', 'steps', 'on_exhausted'].map(get);
  const work: RepeatSource = { kind: 'repeat', steps: steps ? reading.steps(steps) : [] };
  if (until && until.value.kind !== 'scalar') wrongType(until.value, 'until', 'an expression', report, 'put the expression in quotes');
  else if (until?.value.kind === 'scalar') {
    const syntax = readExpression(until.value, report);
    if (syntax) work.until = syntax;
  }
  const most = max && integerOf(max, RANGES.repeatRounds.min, RANGES.repeatRounds.max, report);
  if (most !== undefined) work.max = most;
  const actions = exhausted && readActions(exhausted, 'on_exhausted', report);
  if (actions) work.onExhausted = actions;
  for (const [key, field] of VARIABLES) {
    const written = get(key);
    const name = written && textOf(written, report);
    if (name && checkName(name, 'loop variable', report)) work[field] = name;
  }
  readTimeout(node, body, step, reading);
  return work;
}

/** `timeout` is next to `repeat:` or within it: it is one for all rounds. */
function readTimeout(node: MappingNode, body: MappingNode, step: StepSource, { report }: ReadContext): void {
  const either = (of: MappingNode): Entry | undefined => entryOf(of, 'timeout') ?? entryOf(of, 'timeout_ms');
  const [outer, inner] = [either(node), either(body)];
  if (outer && inner) {
    conflict(outer, inner, report);
    return;
  }
  const timeoutMs = durationEither(entryOf(body, 'timeout'), entryOf(body, 'timeout_ms'), report);
  if (timeoutMs !== undefined) step.timeoutMs = timeoutMs;
}

const VARIABLES = [
  ['round_var', 'roundVar'],
  ['last_var', 'lastVar'],
] as const;
