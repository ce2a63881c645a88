import { defined } from '../../plan/defined';
import type { Report } from '../diagnostics/diagnostic';
import { type Entry, entryOf, type MappingNode, type SourceNode } from '../read/node';
import type { ScriptPlaces } from '../script/read-script';
import { checkKeys, headOf } from '../shape/keys';
import { booleanOf, integerOf, textOf, wrongType } from '../shape/values';
import { FITS, readByStep, readFits, readText } from './stand-in';
import type { TaskStandIn } from './test-file';

const OUTCOMES = ['result', 'dropped', 'refused', 'left', 'no_team', 'hang'] as const;
/** What only a task that is done has. */
const OF_DONE = ['owner', 'attempts'] as const;
const KNOWN = ['subject', ...FITS, ...OUTCOMES, ...OF_DONE];
const MAX_ATTEMPTS = 1_000_000;

/** Reads `tasks:`: for each step that gives a task to a team, what comes of it. */
export function readTasks(entry: Entry, places: ScriptPlaces, report: Report): Record<string, TaskStandIn[]> {
  const words = { takes: 'what comes of their tasks', one: 'outcome' };
  return readByStep(entry, words, (node, step) => readStandIn(node, step, report), places, report);
}

function readStandIn(node: SourceNode, step: string, report: Report): TaskStandIn | undefined {
  if (node.kind !== 'mapping') return wrongType(node, step, 'an outcome such as {result: It is done.}', report);
  checkKeys(node, { what: 'the outcome of a task', known: KNOWN }, report);
  const fits = readFits(node, report);
  const subject = entryOf(node, 'subject');
  const part = subject && textOf(subject, report)?.value;
  const [first, ...more] = node.entries.filter(({ key }) => OUTCOMES.some((outcome) => outcome === key));
  if (!first) {
    // The key was reported, so the answer may be under it.
    if (node.entries.every(({ key }) => KNOWN.includes(key)))
      report('shape.missing-key', headOf(node), 'the task has no outcome', `add one of ${OUTCOMES.join(', ')}`);
    return undefined;
  }
  const others = first.key === 'result' ? more : [...more, ...node.entries.filter(({ key }) => OF_DONE.some((of) => of === key))];
  for (const { key, keyAt } of others)
    report('shape.conflicting-keys', keyAt, `"${key}" cannot be combined with "${first.key}"`, 'keep one of the two');
  const outcome = readOutcome(first, node, report);
  return outcome && { ...fits, ...defined({ subject: part }), outcome };
}

function readOutcome(entry: Entry, node: MappingNode, report: Report): TaskStandIn['outcome'] | undefined {
  switch (entry.key) {
    case 'result':
      return readDone(entry, node, report);
    case 'dropped':
    case 'refused': {
      const said = textOf(entry, report)?.value;
      return said === undefined ? undefined : { kind: entry.key, reason: said };
    }
    default: {
      if (booleanOf(entry, report) === false)
        report('shape.unknown-value', entry.value.at, `"${entry.key}" is false`, `write \`${entry.key}: true\`, or another outcome`);
      return { kind: entry.key === 'left' ? 'left' : entry.key === 'no_team' ? 'no-team' : 'hangs' };
    }
  }
}

function readDone(entry: Entry, node: MappingNode, report: Report): TaskStandIn['outcome'] | undefined {
  const result = readText(entry, report);
  const [owner, attempts] = OF_DONE.map((key) => entryOf(node, key));
  const more = { owner: owner && textOf(owner, report)?.value, attempts: attempts && integerOf(attempts, 1, MAX_ATTEMPTS, report) };
  return result === undefined ? undefined : { kind: 'completed', ...defined({ result: result || undefined, ...more }) };
}
