import type { Script, ScriptedPerson, ScriptedReply } from '../../plan/agents/script';
import { setField } from '../../plan/text/json';
import {
  type Diagnostic,
  diagnosticAt,
  hasErrors,
  inSourceOrder,
  type Report,
  type SourceSpan,
  sourceText,
} from '../diagnostics/diagnostic';
import { type Entry, entryOf, type MappingNode } from '../read/node';
import { readYaml } from '../read/yaml';
import { checkKeys } from '../shape/keys';
import { mappingOf, sequenceOf, textOf } from '../shape/values';
import { SCRIPT_LIMIT_BYTES } from '../sources';
import { readPerson } from './person';
import { readScriptedReply } from './reply';

/** The places of a script's parts, for mistakes that are found only by comparing it with a plan. Keys are the script's own objects. */
export type ScriptPlaces = WeakMap<object, SourceSpan>;

/** A script file as read. The caller reads what `extends` names and merges the two with `mergeScripts`. */
export interface ScriptFile {
  script: Script;
  /** Name of the script that this one changes. */
  extends?: string;
  /** Whether the file has a `people` key, and so replaces the people of what it extends. */
  hasPeople: boolean;
  places: ScriptPlaces;
  diagnostics: Diagnostic[];
}

export interface RefusedScript {
  script?: undefined;
  diagnostics: Diagnostic[];
}

/** Parses a script, or returns all of its mistakes. The script's name is the file's, without folder and extension. */
export function readScript(file: string, text: string): ScriptFile | RefusedScript {
  const source = sourceText(file, text);
  const diagnostics: Diagnostic[] = [];
  const report: Report = (code, at, message, hint) => {
    diagnostics.push(diagnosticAt(code, at, message, hint));
  };
  const places: ScriptPlaces = new WeakMap();
  const root = readYaml(source, report, { limitBytes: SCRIPT_LIMIT_BYTES, begin: 'replies:' });
  const read = root && readRoot(root, nameOf(file), places, report);
  const inOrder = inSourceOrder(diagnostics, file);
  return !read || hasErrors(diagnostics) ? { diagnostics: inOrder } : { ...read, places, diagnostics: inOrder };
}

function nameOf(file: string): string {
  return (file.split('/').pop() ?? file).replace(/\.(?:ya?ml|json)$/, '');
}

function readRoot(
  root: MappingNode,
  name: string,
  places: ScriptPlaces,
  report: Report,
): Pick<ScriptFile, 'script' | 'extends' | 'hasPeople'> {
  checkKeys(root, { what: 'a script', known: ['description', 'extends', 'replies', 'people'] }, report);
  const get = (key: string): Entry | undefined => entryOf(root, key);
  const [description, base, replies, people] = ['description', 'extends', 'replies', 'people'].map(get);
  const script: Script = { name, replies: {}, people: people ? readPeople(people, places, report) : [] };
  const about = description && textOf(description, report);
  if (about) script.description = about.value.trim();
  if (replies) script.replies = readReplyTable(replies, places, report);
  const extended = base && textOf(base, report);
  const hasPeople = people !== undefined;
  return extended ? { script, extends: extended.value, hasPeople } : { script, hasPeople };
}

/** Reads `replies:`. The place of a step's list is that of the step's name. */
export function readReplyTable(replies: Entry, places: ScriptPlaces, report: Report): Script['replies'] {
  const table: Script['replies'] = {};
  for (const entry of mappingOf(replies, report, 'a mapping of step ids to replies')?.entries ?? []) {
    const list = readReplies(entry, report);
    places.set(list, entry.keyAt);
    setField(table, entry.key, list);
  }
  return table;
}

function readReplies(entry: Entry, report: Report): ScriptedReply[] {
  const list = sequenceOf(entry, report, 'a list of replies');
  if (list?.items.length === 0) report('shape.out-of-range', list.at, `step "${entry.key}" has no reply`, 'add one, or remove the step');
  return list?.items.flatMap((item) => readScriptedReply(item, report) ?? []) ?? [];
}

function readPeople(entry: Entry, places: ScriptPlaces, report: Report): ScriptedPerson[] {
  if (entry.value.kind === 'scalar' && entry.value.value === null) return [];
  return (sequenceOf(entry, report, 'a list of what people do')?.items ?? []).flatMap((item) => {
    const person = readPerson(item, report);
    if (!person) return [];
    places.set(person.value, person.at);
    return [person.value];
  });
}
