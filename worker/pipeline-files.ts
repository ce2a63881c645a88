import { realpathSync } from 'node:fs';
import type { LoadedPipeline, PipelineSource } from '../activities/ports';
import { checkScript, formatDiagnostics, type Installation, NO_INSTALLATION, nearest } from '../compiler/index';
import type { Script } from '../plan/agents/script';
import type { Plan } from '../plan/plan';
import { ThermidorFailure } from '../plan/run/failure';
import { parseJson } from '../plan/text/json-text';
import { CompiledFiles } from './compiled-files';
import { PipelineIndex } from './pipeline-index';
import { invalidScript, readStoredScript, scriptBeside } from './script-files';

/**
 * Pipelines and scripts in folders, found by name. A name must lead to exactly one file; it may be another file later while the worker
 * runs, and the current file is always compiled.
 */
export class PipelineFiles implements PipelineSource {
  private readonly index: PipelineIndex;
  private readonly folders: readonly string[];
  private readonly compiled: CompiledFiles;

  constructor(folders: readonly string[], installation: Installation = NO_INSTALLATION) {
    this.folders = distinct(folders);
    this.index = new PipelineIndex(this.folders);
    this.compiled = new CompiledFiles(installation);
  }

  /** The names of all pipelines, sorted. */
  names(): string[] {
    return [...this.index.files().keys()].sort();
  }

  /** The file of a pipeline. Fails with `pipeline.not-found`, `pipeline.ambiguous`. */
  find(name: string): string {
    const files = this.index.files();
    const [file, ...others] = files.get(name) ?? [];
    if (file === undefined) throw notFound(name, [...files.keys()].sort(), this.folders, this.index.unread());
    if (others.length === 0) return file;
    const all = [file, ...others];
    throw new ThermidorFailure('pipeline.ambiguous', `several files name their pipeline "${name}": ${all.join(', ')}; rename all but one`, {
      files: all,
    });
  }

  async pipeline(name: string): Promise<LoadedPipeline> {
    const file = this.find(name);
    const compiled = this.compiled.compile(file);
    if (!compiled.plan) {
      const report = formatDiagnostics(compiled.diagnostics);
      const found = compiled.diagnostics.map(({ code, line, column, message }) => ({ code, line, column, message }));
      throw new ThermidorFailure('pipeline.invalid', `pipeline "${name}" does not compile\n${report}`, { file, diagnostics: found });
    }
    // Parsed from its canonical text, so that everybody who freezes this plan stores the same bytes.
    return { plan: parseJson<Plan>(compiled.planText), blobs: compiled.blobs };
  }

  /** Checked against the current pipeline, so that a reply for a step that does not exist is found before the run starts. */
  async script(pipeline: string, name: string): Promise<{ text: string; script: Script }> {
    const file = this.find(pipeline);
    const { text, script, places } = scriptBeside(file, name);
    const { plan } = this.compiled.compile(file);
    const mistakes = plan ? checkScript(script, plan, places).filter(({ severity }) => severity === 'error') : [];
    if (mistakes.length > 0) throw invalidScript(name, mistakes);
    return { text, script };
  }

  readScript(name: string, text: string): Script {
    return readStoredScript(name, text);
  }
}

function notFound(name: string, known: string[], folders: readonly string[], unread: readonly string[]): ThermidorFailure {
  const near = nearest(name, known);
  const hint = near === undefined ? '' : `did you mean "${near}"? `;
  const list = known.length === 0 ? 'there is none' : `known: ${known.join(', ')}`;
  const message = `there is no pipeline "${name}" in ${folders.join(', ') || 'any folder'}; ${[hint + list, ...unread].join('; ')}`;
  return new ThermidorFailure('pipeline.not-found', message, { pipeline: name, known, folders: [...folders] });
}

/** Each folder once, even if two paths lead to it; a missing one may be created later. */
function distinct(folders: readonly string[]): string[] {
  const seen = new Map<string, string>();
  for (const folder of folders) {
    const real = realPathOf(folder);
    if (!seen.has(real)) seen.set(real, folder);
  }
  return [...seen.values()];
}

/** The path itself if nothing is there, or if it leads nowhere. */
function realPathOf(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
