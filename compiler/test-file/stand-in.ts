import { defined } from '../../plan/defined';
import { setField } from '../../plan/text/json';
import { jsonText } from '../../plan/text/json-text';
import type { Report } from '../diagnostics/diagnostic';
import { spelledOf } from '../read/json';
import { type Entry, entryOf, type MappingNode, type SourceNode } from '../read/node';
import { readDelay } from '../script/delay';
import type { ScriptPlaces } from '../script/read-script';
import { readIteration } from '../script/reply';
import { checkKeys, headOf } from '../shape/keys';
import { booleanOf, integerOf, mappingOf, wrongType } from '../shape/values';
import type { StandIn, StandInOutcome } from './test-file';

const OUTCOMES = ['stdout', 'json', 'exit_code', 'hang', 'execute'] as const;
/** When a stand-in is taken, and how long it takes. */
export const FITS = ['round', 'try', 'iteration', 'after'] as const;
const KNOWN = [...FITS, 'call', ...OUTCOMES, 'stderr'];
const MAX_COUNT = 1_000_000;
const MAX_EXIT_CODE = 255;

/** Reads `commands:`: for each step, one stand-in or a list. */
export function readCommands(entry: Entry, places: ScriptPlaces, report: Report): Record<string, StandIn[]> {
  const words = { takes: 'the outputs of their commands', one: 'stand-in' };
  return readByStep(entry, words, (node, step) => readStandIn(node, step, report), places, report);
}

/** Reads one entry or a list for each step. The place of a step's list is that of the step's name. */
export function readByStep<T>(
  entry: Entry,
  { takes, one }: { takes: string; one: string },
  read: (node: SourceNode, step: string) => T | undefined,
  places: ScriptPlaces,
  report: Report,
): Record<string, T[]> {
  const table: Record<string, T[]> = {};
  for (const step of mappingOf(entry, report, `a mapping of step ids to ${takes}`)?.entries ?? []) {
    const nodes = step.value.kind === 'sequence' ? step.value.items : [step.value];
    if (nodes.length === 0) report('shape.out-of-range', step.value.at, `step "${step.key}" has no ${one}`, 'add one, or remove it');
    const list = nodes.flatMap((node) => read(node, step.key) ?? []);
    places.set(list, step.keyAt);
    setField(table, step.key, list);
  }
  return table;
}

function readStandIn(node: SourceNode, step: string, report: Report): StandIn | undefined {
  if (node.kind !== 'mapping') return wrongType(node, step, 'a stand-in such as {stdout: …}', report, 'write `{stdout: "…"}`');
  checkKeys(node, { what: 'a stand-in', known: KNOWN }, report);
  const does = readOutcome(node, report);
  const fits = readFits(node, report);
  const call = entryOf(node, 'call');
  const number = call && integerOf(call, 1, MAX_COUNT, report);
  return does && { ...fits, ...defined({ call: number }), does };
}

export function readFits(node: MappingNode, report: Report): Pick<StandIn, 'round' | 'try' | 'iteration' | 'afterMs'> {
  const [round, tryEntry, iteration, after] = FITS.map((key) => entryOf(node, key));
  return defined({
    round: round && integerOf(round, 1, MAX_COUNT, report),
    try: tryEntry && integerOf(tryEntry, 1, MAX_COUNT, report),
    iteration: iteration && readIteration(iteration, report),
    afterMs: after && readDelay(after, report),
  });
}

function readOutcome(node: MappingNode, report: Report): StandInOutcome | undefined {
  const [stdout, json, exitCode, hang, execute] = OUTCOMES.map((key) => entryOf(node, key));
  const stderr = entryOf(node, 'stderr');
  const [first, second] = [hang, execute, json, stdout].filter((entry) => entry !== undefined);
  if (first && second)
    report('shape.conflicting-keys', second.keyAt, `"${second.key}" cannot be combined with "${first.key}"`, 'keep one of the two');
  if (hang ?? execute) return readWhole(hang, execute, report);
  if (!first && !exitCode && !stderr) {
    // The key was reported, so the answer may be under it.
    if (node.entries.every(({ key }) => KNOWN.includes(key)))
      report('shape.missing-key', headOf(node), 'the stand-in has no outcome for the command', `add one of ${OUTCOMES.join(', ')}`);
    return undefined;
  }
  const code = exitCode && integerOf(exitCode, 0, MAX_EXIT_CODE, report);
  const out = json ? `${jsonText(spelledOf(json.value))}\n` : stdout && readText(stdout, report);
  const err = stderr && readText(stderr, report);
  return { kind: 'ends', stdout: out ?? '', stderr: err ?? '', exitCode: code ?? 0 };
}

function readWhole(hang: Entry | undefined, execute: Entry | undefined, report: Report): StandInOutcome {
  for (const entry of [hang, execute]) {
    if (entry && booleanOf(entry, report) === false)
      report('shape.unknown-value', entry.value.at, `"${entry.key}" is false`, `write \`${entry.key}: true\`, or another outcome`);
  }
  return { kind: hang ? 'hangs' : 'executes' };
}

/** Text, which may be empty. */
export function readText({ key, value }: Entry, report: Report): string | undefined {
  if (value.kind === 'scalar' && typeof value.value === 'string') return value.value;
  return wrongType(value, key, 'text', report, 'put it in quotes, or write `json:` for a value');
}
