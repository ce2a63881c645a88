import type { Expr } from '../../../plan/expressions/expression';
import type { InputStep } from '../../../plan/steps/step';
import { isJsonObject } from '../../../plan/text/json';
import { setSpelled } from '../../../plan/text/spelled-json';
import type { SourceSpan } from '../../diagnostics/diagnostic';
import { invalidity } from '../../names/json-schema';
import { beyondLimits } from '../../names/schema-limits';
import { badPatterns, reportPatterns } from '../../names/schema-patterns';
import { jsonOf, spelledOf } from '../../read/json';
import { entryOf, type MappingNode } from '../../read/node';
import { headOf } from '../../shape/keys';
import { call, type LobsterStepResult, recordOf } from '../text/results';
import { type LobsterContext, type StepDraft, warnOfIgnored, warnOfUnknownKeys } from './context';
import { POLICY_KEYS } from './policies';
import { valueInput } from './work';

/** A step of the file that comes before another, as `input` needs it: the input's subject is the last step that ran. */
export interface StepBefore {
  planId: string;
  result: LobsterStepResult;
  /** The step always has a result: it has neither a condition nor an `on_error`. */
  always: boolean;
}

/** How far back an input looks for a step that ran. */
const LOOK_BACK = 100;

export function inputStep(
  input: MappingNode,
  before: readonly StepBefore[],
  { node, base, place, templates, context }: StepDraft,
): InputStep {
  const who = place.who(base.as ?? base.id);
  warnOfUnknownKeys(input, '"input"', ['prompt', 'responseSchema', 'defaults'], context);
  warnOfIgnored(
    POLICY_KEYS.map((key) => entryOf(node, key)),
    'an input has nothing to try again',
    context,
  );
  const { timeoutMs: _, retry: __, onError: ___, ...rest } = base;
  const step: InputStep = { ...rest, kind: 'input' };
  const refuse = (at: SourceSpan, message: string, hint?: string): void =>
    context.report('lobster.bad-value', at, `${who} ${message}`, hint);
  const prompt = entryOf(input, 'prompt');
  const text = prompt?.value.kind === 'scalar' ? prompt.value.value : undefined;
  if (typeof text === 'string') step.prompt = [text];
  else refuse(prompt?.value.at ?? headOf(input), 'input.prompt must be a string', 'write the question');
  readSchema(input, step, refuse, context);
  const defaults = entryOf(input, 'defaults');
  if (defaults) setSpelled(step, 'defaults', spelledOf(defaults.value));
  const stdin = entryOf(node, 'stdin');
  const subject = stdin ? valueInput(stdin, place, context) : subjectOf(before);
  if (subject) {
    step.subject = subject;
    templates.push(subject);
  }
  return step;
}

function readSchema(
  input: MappingNode,
  step: InputStep,
  refuse: (at: SourceSpan, message: string, hint?: string) => void,
  { blobs, report }: LobsterContext,
): void {
  const entry = entryOf(input, 'responseSchema');
  const schema = entry && jsonOf(entry.value);
  if (!entry || typeof schema !== 'object') {
    refuse(entry?.value.at ?? headOf(input), 'input.responseSchema must be an object', 'write a JSON Schema, or {} for any answer');
    return;
  }
  const problem = isJsonObject(schema) ? (beyondLimits(schema) ?? invalidity(schema)) : 'it is not an object';
  if (problem !== undefined) refuse(entry.value.at, `input.responseSchema is invalid: ${problem}`);
  else {
    const bad = badPatterns(schema);
    reportPatterns(bad, entry.value, entry.value.at, report);
    if (bad.length === 0) step.responseSchema = blobs.add(schema, `${step.id}.response.schema.json`, 'application/schema+json');
  }
}

/** What the last step that ran output, received as an answer, or printed. */
function subjectOf(before: readonly StepBefore[]): [Expr] | undefined {
  let expr: Expr | undefined;
  const near = before.slice(-LOOK_BACK);
  const from = near.findLastIndex((step) => step.always);
  for (const { planId, result, always } of near.slice(Math.max(0, from))) {
    const own = ['json', 'response', 'stdout'].flatMap((field) => result.fields.get(field) ?? []);
    const otherwise: Expr = expr ?? { kind: 'literal', value: null };
    expr = always ? call('first', ...own) : call('resultOf', recordOf(planId, 'skipped'), recordOf(planId, 'error'), otherwise, ...own);
  }
  return expr && [expr];
}
