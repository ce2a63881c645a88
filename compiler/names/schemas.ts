import { posix } from 'node:path';
import { isJsonObject, type Json } from '../../plan/text/json';
import { parseJson } from '../../plan/text/json-text';
import { inDoubles } from '../../plan/text/spelled-json';
import { type Located, type Report, type SourceSpan, sourceText, topOf } from '../diagnostics/diagnostic';
import { didYouMean } from '../diagnostics/suggest';
import { OUTPUT_NAME } from '../language/patterns';
import { missingFileHint } from '../missing-file';
import { jsonOf } from '../read/json';
import type { Entry, SourceNode } from '../read/node';
import { isText } from '../read/text';
import { nodeOfJson } from '../read/yaml';
import type { OutputSource } from '../shape/source-parts';
import { textOf, wrongType } from '../shape/values';
import { besideFile, type Sources } from '../sources';
import { invalidity } from './json-schema';
import { keywordProblems, reportKeywords } from './schema-keywords';
import { beyondLimits } from './schema-limits';
import { badPatterns, reportPatterns } from './schema-patterns';

/** The schema of an output: the step's own `schema`, else the one listed under `schemas:`, else `schemas/<Output>.schema.json`. */
export interface Schemas {
  /** Undefined if there is no schema. `faulty` if there is one with mistakes, which have been reported. */
  of(output: OutputSource): LoadedSchema | undefined;
  /** The schema that an agent names: that of an output, else the one at a path, or the schema itself. */
  named(entry: Entry): LoadedSchema;
  /** Reports that an output has no schema. */
  missing(output: Located<string>): void;
}

export type LoadedSchema = { json: Json } | { faulty: true };

const FAULTY: LoadedSchema = { faulty: true };
const SUFFIX = '.schema.json';

function nameIn(path: string): string {
  return posix.basename(path).replace(/(\.schema)?\.json$/, '');
}

export function loadSchemas(file: string, listed: ReadonlyMap<string, Entry>, sources: Sources, report: Report): Schemas {
  const byPath = new Map<string, LoadedSchema | undefined>();
  const folder = besideFile(file, 'schemas');
  const atPath = (path: string, from: SourceSpan): LoadedSchema | undefined => {
    if (!byPath.has(path)) {
      const text = sources.read(path);
      byPath.set(path, text === undefined ? undefined : fromText(path, text, from, report));
    }
    return byPath.get(path);
  };
  const fromEntry = (entry: Entry): LoadedSchema => {
    if (entry.value.kind === 'mapping') return checked(inDoubles(jsonOf(entry.value)), entry.value.at, () => entry.value, report);
    if (entry.value.kind === 'sequence') wrongType(entry.value, entry.key, 'a path or a JSON Schema', report);
    const path = entry.value.kind === 'scalar' ? textOf(entry, report) : undefined;
    if (!path) return FAULTY;
    const found = atPath(besideFile(file, path.value), path.at);
    if (found) return found;
    const rule = `paths are relative to the folder of the pipeline, as in "schemas/${nameIn(path.value)}${SUFFIX}"`;
    report('schema.missing-file', path.at, `there is no file "${path.value}"`, missingFileHint(path, file, sources, rule));
    return FAULTY;
  };
  const known = new Map([...listed].map(([name, entry]) => [name, fromEntry(entry)]));

  const ofOutput = (name: Located<string>): LoadedSchema | undefined => {
    const listedHere = known.get(name.value);
    if (listedHere || !name.value.endsWith('.json')) return listedHere;
    return atPath(`${folder}/${name.value.slice(0, -'.json'.length)}${SUFFIX}`, name.at);
  };

  return {
    of({ output: name, schema }) {
      if (schema) return fromEntry(schema);
      return name && ofOutput(name);
    },
    named(entry) {
      const { value } = entry;
      const isName = value.kind === 'scalar' && typeof value.value === 'string' && OUTPUT_NAME.test(value.value);
      return (isName ? ofOutput({ value: value.text, at: value.at }) : undefined) ?? fromEntry(entry);
    },
    missing(name) {
      report('schema.unknown', name.at, `there is no schema for "${name.value}"`, () => {
        const onDisk = sources.list(folder).filter((entry) => entry.endsWith(SUFFIX));
        const candidates = [...listed.keys(), ...onDisk.map((entry) => `${entry.slice(0, -SUFFIX.length)}.json`)];
        const where = `schemas are defined under \`schemas:\` or in schemas/*${SUFFIX}`;
        const whole = candidates.find((candidate) => candidate === `${name.value}.json`);
        return whole === undefined ? didYouMean(name.value, candidates, where) : `did you mean "${whole}"?`;
      });
    },
  };
}

function fromText(path: string, text: string, from: SourceSpan, report: Report): LoadedSchema {
  const source = sourceText(path, text, from);
  if (!isText(source, report)) return FAULTY;
  try {
    return checked(inDoubles(parseJson(text)), topOf(source), () => nodeOfJson(source), report);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const position = /position (\d+)/.exec(message)?.[1];
    const start = position === undefined ? text.length : Number(position);
    report('schema.not-json', { source, start, end: start + 1 }, `this is not JSON: ${message}`, 'fix it there, or a little before');
    return FAULTY;
  }
}

/** @param root the schema as it was read, for places within it */
function checked(json: Json, at: SourceSpan, root: () => SourceNode | undefined, report: Report): LoadedSchema {
  const beyond = beyondLimits(json);
  if (beyond !== undefined) {
    report('schema.refused', at, `this schema is refused: ${beyond}`, 'make it flatter');
    return FAULTY;
  }
  const whole = JSON.stringify(json);
  if (sound.has(whole)) return { json };
  const bad = badPatterns(json);
  const keywords = isJsonObject(json) ? keywordProblems(json) : [];
  if (bad.length > 0 || keywords.length > 0) {
    const tree = root();
    reportPatterns(bad, tree, at, report);
    reportKeywords(keywords, tree, at, report);
    return FAULTY;
  }
  const problem = isJsonObject(json) ? invalidity(json) : 'it is not an object';
  if (problem === undefined) {
    keepSound(whole);
    return { json };
  }
  report('schema.invalid', at, `this is not a valid JSON Schema: ${problem}`, 'see json-schema.org for what each keyword takes');
  return FAULTY;
}

const SOUND_KEPT = 100;
const SOUND_CHARACTERS = 32_768;
/** Checked schemas without a mistake: pipelines that start others meet the same ones again, and checking one takes longer than the rest. */
const sound = new Set<string>();

function keepSound(whole: string): void {
  if (whole.length <= SOUND_CHARACTERS) sound.add(whole);
  for (const oldest of sound) if (sound.size > SOUND_KEPT) sound.delete(oldest);
}
