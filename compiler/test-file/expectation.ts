import { defined } from '../../plan/defined';
import { RUN_STATES } from '../../plan/run/status';
import { isJsonObject, type Json, type JsonObject } from '../../plan/text/json';
import type { Report } from '../diagnostics/diagnostic';
import { jsonOf } from '../read/json';
import { type Entry, entryOf, type MappingNode } from '../read/node';
import { readDelay } from '../script/delay';
import { checkKeys } from '../shape/keys';
import { integerOf, mappingOf, namesOf, sequenceOf, textOf, wrongType } from '../shape/values';
import { readExpectedSteps } from './expected-step';
import type { Expectation, ExpectedGate } from './test-file';
import { type NoteStep, noteKey, readCode, readCodes, readTexts } from './test-values';

export const EXPECT_KEYS = [
  'status',
  'reason',
  'error',
  'output',
  'output_has',
  'steps',
  'order',
  'calls',
  'rounds',
  'errors',
  'journal',
  'journal_lacks',
  'gates',
  'open',
  'elapsed',
] as const;
const MAX_COUNT = 1_000_000;

/** Reads what is under `expect:`. */
export function readExpectation(node: MappingNode, report: Report, note: NoteStep): Expectation {
  checkKeys(node, { what: '"expect"', known: EXPECT_KEYS }, report);
  const expect: Expectation = {};
  const read = <K extends keyof Expectation>(key: (typeof EXPECT_KEYS)[number], into: K, how: (entry: Entry) => Expectation[K]): void => {
    const entry = entryOf(node, key);
    const value = entry && how(entry);
    if (value !== undefined) expect[into] = value;
  };
  const json = (entry: Entry): { value: Json } => ({ value: jsonOf(entry.value) });
  const count = (entry: Entry): number | undefined => integerOf(entry, 0, MAX_COUNT, report);
  read('status', 'status', (entry) => readTexts(entry, RUN_STATES, report));
  read('reason', 'reason', (entry) => textOf(entry, report)?.value);
  read('error', 'error', (entry) => readError(entry, report, note));
  read('output', 'output', json);
  read('output_has', 'outputHas', json);
  read('steps', 'steps', (entry) => readExpectedSteps(entry, report, note));
  read('order', 'order', (entry) => readOrder(entry, report, note));
  read('calls', 'calls', (entry) => byStep(entry, count, report, note));
  read('rounds', 'rounds', (entry) => byStep(entry, count, report, note));
  read('errors', 'errors', (entry) => byStep(entry, (codes) => readCodes(codes, report), report, note));
  read('journal', 'journal', (entry) => objectsOf(entry, report));
  read('journal_lacks', 'journalLacks', (entry) => objectsOf(entry, report));
  read('gates', 'gates', (entry) => sequenceOf(entry, report)?.items.flatMap((value) => readGate({ ...entry, value }, report, note) ?? []));
  read('open', 'open', (entry) => namesNoted(entry, report, note));
  read('elapsed', 'elapsed', (entry) => readElapsed(entry, report));
  return expect;
}

function namesNoted(entry: Entry, report: Report, note: NoteStep): string[] | undefined {
  const names = entry.value.kind === 'sequence' && entry.value.items.length === 0 ? [] : namesOf(entry, report);
  for (const { value, at } of names ?? []) note(value, at);
  return names?.map(({ value }) => value);
}

function readError(entry: Entry, report: Report, note: NoteStep): Expectation['error'] {
  if (entry.value.kind === 'scalar') {
    const code = readCode(entry, report);
    return code && { code };
  }
  const node = mappingOf(entry, report, 'a failure code, or a mapping {code, step, message}');
  if (!node) return undefined;
  checkKeys(node, { what: '"error"', known: ['code', 'step', 'message'] }, report);
  const [code, step, message] = ['code', 'step', 'message'].map((key) => entryOf(node, key));
  const error: NonNullable<Expectation['error']> = {};
  const ofCode = code && readCode(code, report);
  if (ofCode) error.code = ofCode;
  const ofStep = step && textOf(step, report);
  if (ofStep) {
    note(ofStep.value, ofStep.at);
    error.step = ofStep.value;
  }
  const words = message && textOf(message, report);
  if (words) error.message = words.value;
  return error;
}

/** Reads `[intel, [bull, bear], converge]`: an inner list allows any order. */
function readOrder(entry: Entry, report: Report, note: NoteStep): string[][] | undefined {
  return sequenceOf(entry, report)?.items.flatMap((value) => {
    const group = namesNoted({ ...entry, value }, report, note);
    return group ? [group] : [];
  });
}

function byStep<T>(entry: Entry, how: (entry: Entry) => T | undefined, report: Report, note: NoteStep): [string, T][] | undefined {
  return mappingOf(entry, report, 'a mapping by step')?.entries.flatMap((part): [string, T][] => {
    noteKey(part, report, note);
    const value = how(part);
    return value === undefined ? [] : [[part.key, value]];
  });
}

function objectsOf(entry: Entry, report: Report): JsonObject[] | undefined {
  return sequenceOf(entry, report, 'a list of entries')?.items.flatMap((item): JsonObject[] => {
    const value = jsonOf(item);
    if (isJsonObject(value)) return [value];
    wrongType(item, entry.key, 'a list of mappings such as {kind: decision, step: approve}', report);
    return [];
  });
}

function readGate(entry: Entry, report: Report, note: NoteStep): ExpectedGate | undefined {
  if (entry.value.kind === 'scalar') {
    const step = textOf(entry, report);
    if (step) note(step.value, step.at);
    return step && { step: step.value };
  }
  const node = mappingOf(entry, report, 'a step, or a mapping {step, question}');
  if (!node) return undefined;
  checkKeys(node, { what: 'a gate', known: ['step', 'question'] }, report);
  const [stepEntry, questionEntry] = [entryOf(node, 'step'), entryOf(node, 'question')];
  const step = stepEntry && textOf(stepEntry, report);
  const question = questionEntry && textOf(questionEntry, report);
  if (step) note(step.value, step.at);
  return step && { step: step.value, ...defined({ question: question?.value }) };
}

/** Reads `26h`, or `{least: 24h, most: 26h}`. */
function readElapsed(entry: Entry, report: Report): Expectation['elapsed'] {
  if (entry.value.kind === 'scalar') {
    const ms = readDelay(entry, report);
    return ms === undefined ? undefined : { leastMs: ms, mostMs: ms };
  }
  const node = mappingOf(entry, report, 'a duration, or a mapping {least, most}');
  if (!node) return undefined;
  checkKeys(node, { what: '"elapsed"', known: ['least', 'most'] }, report);
  const [least, most] = [entryOf(node, 'least'), entryOf(node, 'most')];
  return {
    leastMs: (least && readDelay(least, report)) ?? 0,
    mostMs: (most && readDelay(most, report)) ?? Number.MAX_SAFE_INTEGER,
  };
}
