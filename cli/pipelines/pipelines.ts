import { existsSync, statSync } from 'node:fs';
import { dirname, extname, join, parse, resolve } from 'node:path';
import { type CompileOptions, compilePipeline } from '../../compiler/compile';
import type { Diagnostic } from '../../compiler/diagnostics/diagnostic';
import { formatDiagnostics } from '../../compiler/diagnostics/format';
import { didYouMean } from '../../compiler/diagnostics/suggest';
import { checkScript } from '../../compiler/script/check-script';
import type { Sources } from '../../compiler/sources';
import type { Script } from '../../plan/agents/script';
import { ThermidorFailure } from '../../plan/run/failure';
import { FolderSources } from '../../worker/folder-sources';
import { PipelineIndex } from '../../worker/pipeline-index';
import { scriptBeside } from '../../worker/script-files';
import { readSourceFile } from '../../worker/source-file';
import { briefFilesIn, briefFolders, briefsNamed } from '../briefs/brief-files';
import { CommandFailure, EXIT, usage } from '../exit';
import { relativePath } from '../relative-path';
import type { Configuration } from '../settings/configuration';

/** Finds, reads and compiles the pipeline that the command line names by file or by name. Loads no part of Temporal. */
export type CompileResult = ReturnType<typeof compilePipeline>;
export type Compiled = Extract<CompileResult, { planText: string }>;

export interface PipelineFile {
  /** The file as shown: relative to the current folder if it is in it. */
  file: string;
  path: string;
  text: string;
}

const EXTENSIONS = ['.yaml', '.yml', '.json', '.lobster', '.md', '.markdown'];

/**
 * A brief's file is found by its own name, or by its project, if no pipeline has that name. Fails with exit 2: no such file, no such name,
 * or a name that several files have.
 */
export function findPipeline(
  given: string,
  configuration: Configuration,
  cwd: string,
  wanted: 'pipeline' | 'team' = 'pipeline',
): PipelineFile {
  if (EXTENSIONS.includes(extname(given)) || /[/\\]/.test(given)) return readPipeline(given, cwd);
  const index = new PipelineIndex(configuration.pipelines.value);
  const known = index.files();
  const briefs = wanted === 'team' || known.has(given) ? [] : briefFilesIn(briefFolders(configuration, cwd));
  const [found, ...others] = [...new Set(known.get(given) ?? briefsNamed(given, briefs))];
  if (found !== undefined && others.length > 0) {
    throw new CommandFailure(EXIT.usage, 'pipeline.ambiguous', `several files have the name "${given}": ${[found, ...others].join(', ')}`, {
      hint: 'name the file',
    });
  }
  if (found !== undefined) return readPipeline(relativePath(found, cwd), cwd);
  const names = [...(wanted === 'team' ? index.teams() : known).keys(), ...briefs.map(({ path }) => parse(path).name)].sort();
  throw new CommandFailure(EXIT.usage, 'pipeline.not-found', `there is no ${wanted} "${given}" in ${folders(configuration)}`, {
    hint: didYouMean(given, names, names.length === 0 ? `give a file: ${wanted}s/NAME.yaml` : `known: ${names.join(', ')}`) ?? '',
    details: { known: names },
  });
}

function folders(configuration: Configuration): string {
  return configuration.pipelines.value.join(', ') || configuration.root;
}

/** Fails with exit 2 if the file cannot be read. */
export function readPipeline(file: string, cwd: string): PipelineFile {
  const path = resolve(cwd, file);
  if (!existsSync(path)) throw new CommandFailure(EXIT.usage, 'pipeline.unreadable', `${file}: no such file`);
  if (statSync(path).isDirectory()) throw usage(`${file} is a folder`, `name a file: ${join(file, 'NAME.yaml')}`);
  try {
    return { file: relativePath(path, cwd), path, text: readSourceFile(path) };
  } catch (error) {
    throw new CommandFailure(
      EXIT.usage,
      'pipeline.unreadable',
      `${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/** The files next to it are named relative to the same folder as it is. */
export function compile({ file, path, text }: PipelineFile, options: CompileOptions = {}): CompileResult {
  // A Lobster file may name files wherever they are, as with Lobster.
  const isLobster = options.dialect === 'lobster' || extname(path) === '.lobster';
  const beside = new FolderSources(isLobster ? parse(path).root : dirname(path));
  const from = path.endsWith(file) ? path.slice(0, path.length - file.length) : dirname(path);
  const sources: Sources = {
    read: (name, limitBytes) => beside.read(resolve(from, name), limitBytes),
    list: (name) => beside.list(resolve(from, name)),
    isFolder: (name) => beside.isFolder(resolve(from, name)),
  };
  return compilePipeline(file, text, sources, options);
}

export function format(diagnostics: readonly Diagnostic[], color: boolean): string {
  return formatDiagnostics([...diagnostics], { color });
}

/** A pipeline's script with everything it extends, and the text of that. Fails with `script.not-found`, `script.invalid`. */
export function loadScript(pipeline: PipelineFile, name: string, plan: Compiled['plan']): { text: string; script: Script } {
  const found = scriptBeside(pipeline.path, name);
  const mistakes = checkScript(found.script, plan).filter((mistake) => mistake.severity === 'error');
  if (mistakes.length > 0) {
    throw new ThermidorFailure('script.invalid', `script "${name}" does not fit ${plan.name}`, {
      problems: mistakes.map((mistake) => mistake.message),
    });
  }
  return found;
}
