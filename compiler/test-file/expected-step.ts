import { STEP_STATES } from '../../plan/run/step-state';
import { VERDICTS } from '../../plan/steps/verdict';
import type { Report } from '../diagnostics/diagnostic';
import { jsonOf } from '../read/json';
import { type Entry, entryOf } from '../read/node';
import { checkKeys } from '../shape/keys';
import { integerOf, mappingOf, textOf, textsOf, wordOf } from '../shape/values';
import type { ExpectedStep } from './test-file';
import { type NoteStep, noteKey, readCode } from './test-values';

const KEYS = ['state', 'round', 'try', 'calls', 'error', 'verdict', 'decision', 'output', 'output_has', 'prompt', 'command'] as const;
const COUNTS = ['round', 'try', 'calls'] as const;
const MAX_COUNT = 1_000_000;

/** Reads `expect.steps`: for each step its state alone, or a mapping of what is expected of it. */
export function readExpectedSteps(entry: Entry, report: Report, note: NoteStep): ExpectedStep[] | undefined {
  return mappingOf(entry, report, 'a mapping by step')?.entries.flatMap((part) => {
    noteKey(part, report, note);
    return readStep(part, report) ?? [];
  });
}

function readStep(entry: Entry, report: Report): ExpectedStep | undefined {
  if (entry.value.kind === 'scalar') {
    const state = wordOf(entry, STEP_STATES, report);
    return state && { step: entry.key, state: state.value };
  }
  const node = mappingOf(entry, report, 'a state, or a mapping');
  if (!node) return undefined;
  checkKeys(node, { what: 'what is expected of a step', known: KEYS }, report);
  const step: ExpectedStep = { step: entry.key };
  const [state, error, verdict, decision, output, outputHas, prompt, command] = (
    ['state', 'error', 'verdict', 'decision', 'output', 'output_has', 'prompt', 'command'] as const
  ).map((key) => entryOf(node, key));
  const ofState = state && wordOf(state, STEP_STATES, report);
  if (ofState) step.state = ofState.value;
  for (const key of COUNTS) {
    const part = entryOf(node, key);
    const count = part && integerOf(part, key === 'calls' ? 0 : 1, MAX_COUNT, report);
    if (count !== undefined) step[key] = count;
  }
  const code = error && readCode(error, report);
  if (code) step.error = code;
  const word = verdict && wordOf(verdict, VERDICTS, report);
  if (word) step.verdict = word.value;
  const decided = decision && readDecision(decision, report);
  if (decided) step.decision = decided;
  if (output) step.output = { value: jsonOf(output.value) };
  if (outputHas) step.outputHas = { value: jsonOf(outputHas.value) };
  const said = prompt && textsOf(prompt, report);
  if (said) step.prompt = said.map(({ value }) => value);
  const ran = command && textsOf(command, report);
  if (ran) step.command = ran.map(({ value }) => value);
  return step;
}

/** Reads `approve`, or `{choice, by, comment}`. */
function readDecision(entry: Entry, report: Report): ExpectedStep['decision'] {
  if (entry.value.kind === 'scalar') {
    const choice = textOf(entry, report);
    return choice && { choice: choice.value };
  }
  const node = mappingOf(entry, report, 'a choice, or a mapping {choice, by, comment}');
  if (!node) return undefined;
  checkKeys(node, { what: '"decision"', known: ['choice', 'by', 'comment'] }, report);
  const decision: NonNullable<ExpectedStep['decision']> = {};
  for (const key of ['choice', 'by', 'comment'] as const) {
    const part = entryOf(node, key);
    const text = part && textOf(part, report);
    if (text) decision[key] = text.value;
  }
  return decision;
}
