import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { type Diagnostic, formatDiagnostics, mergeScripts, nearest, readScript } from '../compiler/index';
import type { ScriptPlaces } from '../compiler/script/read-script';
import { SCRIPT_LIMIT_BYTES } from '../compiler/sources';
import type { Script } from '../plan/agents/script';
import { ThermidorFailure } from '../plan/run/failure';
import { isJsonObject } from '../plan/text/json';
import { canonicalText, jsonIn } from '../plan/text/json-text';
import { FolderSources } from './folder-sources';

const EXTENSIONS = ['.yaml', '.yml', '.json'];
const NAME = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,100}$/;

/** A script merged with the one it extends. */
export interface MergedScript {
  /** The whole script as JSON: a run stores it and `readStoredScript` reads it. */
  text: string;
  script: Script;
  /** The places of its parts in the files it was made from, for `checkScript`. */
  places: ScriptPlaces[];
}

/** The script of that name in a pipeline's folder. Fails with `script.not-found`, `script.invalid`. */
export function scriptBeside(pipelineFile: string, name: string): MergedScript {
  const folder = dirname(pipelineFile);
  const places: ScriptPlaces[] = [];
  const script = { ...readMerged({ folder, sources: new FolderSources(folder), places }, name, []), name };
  return { text: canonicalText(script), script, places };
}

interface Reading {
  folder: string;
  sources: FolderSources;
  places: ScriptPlaces[];
}

function readMerged(reading: Reading, name: string, way: readonly string[]): Script {
  if (way.includes(name)) {
    throw new ThermidorFailure('script.invalid', `script "${way[0]}" extends itself: ${[...way, name].join(' → ')}`);
  }
  const file = findScript(reading, name);
  const read = readScript(file.path, file.text);
  if (!read.script) throw invalidScript(name, read.diagnostics);
  reading.places.push(read.places);
  return read.extends === undefined ? read.script : mergeScripts(readMerged(reading, read.extends, [...way, name]), read);
}

export function invalidScript(name: string, diagnostics: readonly Diagnostic[]): ThermidorFailure {
  const problems = diagnostics.map(({ file, line, column, code, message }) => ({ file, line, column, code, message }));
  return new ThermidorFailure('script.invalid', `script "${name}" cannot be used\n${formatDiagnostics(diagnostics)}`, { problems });
}

function findScript({ folder, sources }: Reading, name: string): { path: string; text: string } {
  const scripts = join(folder, 'scripts');
  for (const extension of NAME.test(name) ? EXTENSIONS : []) {
    const path = join(scripts, `${name}${extension}`);
    const text = existsSync(path) ? sources.read(path, SCRIPT_LIMIT_BYTES) : undefined;
    if (text !== undefined) return { path, text };
  }
  const known = sources.list(scripts).flatMap((entry) => {
    const extension = EXTENSIONS.find((end) => entry.endsWith(end));
    return extension === undefined ? [] : [entry.slice(0, -extension.length)];
  });
  const near = nearest(name, known);
  const hint = near === undefined ? `known: ${known.join(', ') || 'none'}` : `did you mean "${near}"?`;
  throw new ThermidorFailure('script.not-found', `there is no script "${name}" in ${scripts}; ${hint}`, { script: name, known });
}

/** A script as a run stored it. Fails with `script.invalid`. */
export function readStoredScript(name: string, text: string): Script {
  const stored = jsonIn(text);
  if (isScript(stored)) return stored;
  // Someone may have stored a script's own file.
  const read = readScript(`${name}.yaml`, text);
  if (!read.script || read.extends !== undefined) throw invalidScript(name, read.diagnostics);
  return { ...read.script, name };
}

function isScript(value: unknown): value is Script {
  if (!isJsonObject(value) || typeof value['name'] !== 'string' || !Array.isArray(value['people'])) return false;
  const { replies } = value;
  if (!isJsonObject(replies)) return false;
  return Object.values(replies).every((list) => Array.isArray(list) && list.every((entry) => isJsonObject(entry) && 'reply' in entry));
}
