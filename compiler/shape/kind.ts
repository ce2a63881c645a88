import type { Report } from '../diagnostics/diagnostic';
import { didYouMean, listWords, nearest } from '../diagnostics/suggest';
import { foreignRow, foreignWordHint } from '../language/foreign-word-hint';
import { kindRow, WRITTEN_KINDS } from '../language/kinds';
import { type Entry, entryOf, type MappingNode, type SourceNode } from '../read/node';
import { headOf } from './keys';
import { conflict, textOf } from './values';
import { ALL_STEP_KEYS, FILE_KEYS, KIND_KEYS_LATER, STEP_KEYS, STEP_TYPES, TELLING_KEYS, type WrittenKind } from './vocabulary';

/** The kind of a step: by `type`, else by its keys. `later` is a kind that this version does not have. */
export function kindOf(node: MappingNode, id: string, asBranch: boolean, report: Report): WrittenKind | 'later' | undefined {
  const telling = TELLING_KEYS.filter(([key]) => entryOf(node, key));
  for (const kind of new Set(telling.map(([, one]) => one))) {
    const [first, second] = (kindRow(kind).oneOf ?? []).flatMap((key) => entryOf(node, key) ?? []);
    if (first && second) conflict(first, second, report);
  }

  const typeEntry = entryOf(node, 'type');
  if (typeEntry) return kindOfType(typeEntry, report);
  const [plain] = telling;
  if (!plain) {
    if (asBranch && entryOf(node, 'steps')) return 'group';
    return reportUnclearKind(node, id, report);
  }
  const other = telling.find(([key, kind]) => kind !== plain[1] && !STEP_KEYS[plain[1]].includes(key) && !kindRow(kind).sharesKeys);
  const clash = other && entryOf(node, other[0]);
  if (clash) {
    report('step.several-kinds', clash.keyAt, `step "${id}" has "${plain[0]}" and "${clash.key}"`, 'split it into two steps');
    return undefined;
  }
  return variantOf(plain[1], entryOf(node, 'output')?.value) ?? plain[1];
}

function variantOf(kind: WrittenKind, output: SourceNode | undefined): WrittenKind | undefined {
  const name = output?.kind === 'scalar' ? output.text : undefined;
  return WRITTEN_KINDS.find((other) => {
    const { variant } = kindRow(other);
    return variant?.of === kind && variant.output === name;
  });
}

function reportUnclearKind(node: MappingNode, id: string, report: Report): 'later' | undefined {
  const later = node.entries.find((entry) => KIND_KEYS_LATER.includes(entry.key));
  if (later) {
    report('language.unsupported', later.keyAt, `"${later.key}" is not supported yet`, 'see the kinds of step in docs/language.md');
    return 'later';
  }
  // A misspelt key, or another system's, is reported as such: once corrected, it tells what the step does.
  const telling = TELLING_KEYS.map(([key]) => key);
  if (node.entries.some(({ key }) => !ALL_STEP_KEYS.includes(key) && (isTelling(key, telling) || nearest(key, telling) !== undefined)))
    return undefined;
  report('step.no-kind', headOf(node), `no key says what ${id === '' ? 'this step' : `step "${id}"`} does`, hintOfKind(node));
  return undefined;
}

function hintOfKind(node: MappingNode): string {
  if (entryOf(node, 'steps'))
    return 'add `for_each:` with the list to go over; `{id, steps}` alone is a branch of `parallel` or a case of `switch`';
  if (entryOf(node, 'approval'))
    return 'write `type: approval` and `prompt: …` for a step that only asks; `approval:` goes next to `run:` or `agent:`';
  return `add one of agent, run, argv, branches, switch, for_each, repeat, pipeline, input, notify, wait, or type: ${listWords([...STEP_TYPES.keys()])}`;
}

/** Whether another system's key corresponds to one that implies the kind here. */
function isTelling(key: string, telling: readonly string[]): boolean {
  const first = /\w+/.exec(foreignRow('key of a step', key)?.[2] ?? '')?.[0];
  return first === 'type' || (first !== undefined && telling.includes(first));
}

function kindOfType(entry: Entry, report: Report): WrittenKind | undefined {
  const type = textOf(entry, report);
  if (!type) return undefined;
  const kind = STEP_TYPES.get(type.value);
  if (kind !== undefined) return kind;
  const known = [...STEP_TYPES.keys()];
  const hint = FILE_KEYS.some((key) => key === type.value)
    ? `\`${type.value}\` is a key of the file: write it next to \`steps\``
    : (foreignWordHint('type of step', type.value) ?? didYouMean(type.value, known, `known: ${listWords(known)}`));
  report('step.unknown-type', type.at, `"${type.value}" is not a type of step`, hint);
  return undefined;
}
