import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { nearest } from '../compiler/diagnostics/suggest';
import { formatDiagnostics, mergeScripts, readScript } from '../compiler/index';
import { ThermidorFailure } from '../plan/failure';
import { isJsonObject } from '../plan/json';
import type { Script } from '../plan/script';
import { FolderSources } from './folder-sources';

const EXTENSIONS = ['.yaml', '.yml', '.json'];
const NAME = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,100}$/;

/**
 * A script beside a pipeline, with what it extends merged in. `text` is the whole of it as JSON: what a run stores and
 * `readStoredScript` reads. Fails with `script.not-found`, `script.invalid`.
 */
export function scriptBeside(pipelineFile: string, name: string): { text: string; script: Script } {
  const folder = dirname(pipelineFile);
  const script = { ...readMerged(folder, new FolderSources(folder), name, []), name };
  return { text: JSON.stringify(script), script };
}

function readMerged(folder: string, sources: FolderSources, name: string, way: readonly string[]): Script {
  if (way.includes(name)) {
    throw new ThermidorFailure('script.invalid', `script "${way[0]}" extends itself: ${[...way, name].join(' → ')}`);
  }
  const file = findScript(folder, sources, name);
  const read = readScript(file.path, file.text);
  if (!read.script) throw new ThermidorFailure('script.invalid', `script "${name}" does not read\n${formatDiagnostics(read.diagnostics)}`);
  return read.extends === undefined ? read.script : mergeScripts(readMerged(folder, sources, read.extends, [...way, name]), read);
}

function findScript(folder: string, sources: FolderSources, name: string): { path: string; text: string } {
  const scripts = join(folder, 'scripts');
  for (const extension of NAME.test(name) ? EXTENSIONS : []) {
    const path = join(scripts, `${name}${extension}`);
    const text = existsSync(path) ? sources.read(path) : undefined;
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
  const stored = parse(text);
  if (isScript(stored)) return stored;
  // Someone may have stored a script's own file.
  const read = readScript(`${name}.yaml`, text);
  if (!read.script || read.extends !== undefined) {
    throw new ThermidorFailure('script.invalid', `script "${name}" does not read\n${formatDiagnostics(read.diagnostics)}`);
  }
  return { ...read.script, name };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isScript(value: unknown): value is Script {
  if (!isJsonObject(value) || typeof value['name'] !== 'string' || !Array.isArray(value['people'])) return false;
  const { replies } = value;
  if (!isJsonObject(replies)) return false;
  return Object.values(replies).every((list) => Array.isArray(list) && list.every((entry) => isJsonObject(entry) && 'reply' in entry));
}
