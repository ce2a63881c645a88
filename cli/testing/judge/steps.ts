import type { Expectation, ExpectedStep } from '../../../compiler/test-file/test-file';
import type { Json } from '../../../plan/text/json';
import { differences } from '../difference';
import { names } from '../people';
import type { ReadStored } from '../stored-content';
import { callsOf, type StepFacts, type TestFacts } from '../test-facts';
import type { Failing } from './failing';
import { gotten, judgeValue } from './values';

/** Executions of the step that an expectation names; an id alone names those of every iteration. */
function executionsOf(step: string, { steps }: TestFacts): StepFacts[] {
  return [...steps.values()].filter(({ path }) => names(step, path));
}

/** Each execution has to be as expected; a step that nothing happened to is pending. */
export function judgeStep(expected: ExpectedStep, facts: TestFacts, content: ReadStored): Failing[] {
  const found = executionsOf(expected.step, facts);
  const nothing: StepFacts = { path: expected.step, state: 'pending', round: 1, try: 1, failures: [], calls: [] };
  return (found.length === 0 ? [nothing] : found).flatMap((step) => judgeExecution(expected, step, content));
}

function judgeExecution(expected: ExpectedStep, step: StepFacts, content: ReadStored): Failing[] {
  const what = `steps.${step.path}`;
  const plain = (['state', 'round', 'try', 'error', 'verdict'] as const).flatMap((key): Failing[] => {
    const wanted = expected[key];
    if (wanted === undefined || wanted === step[key]) return [];
    const note = key === 'state' && step.failures.length > 0 ? { note: `it failed with ${step.failures.join(', ')}` } : {};
    return [{ what: `${what}.${key}`, expected: wanted, ...gotten(step[key]), ...note }];
  });
  const [calls, made] = [expected.calls, callsOf(step)];
  if (calls !== undefined && calls !== made) plain.push({ what: `${what}.calls`, expected: calls, got: made });
  const output = step.artifact && (expected.output ?? expected.outputHas) ? content(step.artifact) : undefined;
  return [
    ...plain,
    ...judgeDecision(`${what}.decision`, expected.decision, step),
    ...judgeValue(`${what}.output`, expected.output, output),
    ...judgeValue(`${what}.output_has`, expected.outputHas, output, true),
    ...judgeTexts(`${what}.prompt`, expected.prompt, step, 'agent'),
    ...judgeTexts(`${what}.command`, expected.command, step, 'command'),
  ];
}

function judgeDecision(what: string, expected: ExpectedStep['decision'], { decision }: StepFacts): Failing[] {
  if (!expected) return [];
  const found = differences({ ...expected }, decision && { ...decision }, { subset: true, partOf: ['comment'] });
  return found.length === 0 ? [] : [{ what, expected: { ...expected }, ...gotten(decision && { ...decision }), differences: found }];
}

/** Each part must be in one of the texts. */
function judgeTexts(what: string, parts: readonly string[] | undefined, { calls }: StepFacts, kind: 'agent' | 'command'): Failing[] {
  const texts = calls.filter((call) => call.kind === kind).map(({ text }) => text);
  return (parts ?? [])
    .filter((part) => !texts.some((text) => text.includes(part)))
    .map((part) => ({ what, expected: part, ...gotten(texts.length === 0 ? undefined : texts) }));
}

/** A number for each step: of all its executions together, or of the one that has most. */
export function judgeCounts(
  what: 'calls' | 'rounds',
  expected: Expectation['calls'],
  facts: TestFacts,
  count: (step: StepFacts) => number,
  together: 'sum' | 'most',
): Failing[] {
  return (expected ?? []).flatMap(([step, wanted]): Failing[] => {
    const counts = executionsOf(step, facts).map(count);
    const got = together === 'sum' ? counts.reduce((sum, one) => sum + one, 0) : Math.max(0, ...counts);
    return got === wanted ? [] : [{ what: `${what}.${step}`, expected: wanted, got }];
  });
}

export function judgeErrors(expected: Expectation['errors'], facts: TestFacts): Failing[] {
  return (expected ?? []).flatMap(([step, codes]): Failing[] => {
    const got: Json[] = executionsOf(step, facts).flatMap(({ failures }) => failures);
    const same = codes.length === got.length && codes.every((code, i) => code === got[i]);
    return same ? [] : [{ what: `errors.${step}`, expected: codes, got }];
  });
}
