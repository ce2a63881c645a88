import { CHILD_DEPTH_LIMIT, type CompiledChild, type Include } from './compile-context';
import type { Located, Report, SourceSpan } from './diagnostics/diagnostic';
import { missingFileHint } from './missing-file';
import { besideFile, PIPELINE_LIMIT_BYTES, type Sources } from './sources';

/**
 * The pipelines that a pipeline names, compiled. Invariants: 1. each file is compiled once, however often it is named;
 * 2. no file is compiled within itself: a circle is printed at the place that closes it; 3. nothing is nested deeper than
 * `CHILD_DEPTH_LIMIT`, by whichever path.
 */
export interface Inclusion {
  sources: Sources;
  report: Report;
  /** By dialect and path; undefined for a file with mistakes, which have been reported. */
  finished: Map<string, Finished | undefined>;
  /** The dialect of the including file; files with no extension of their own have it too. */
  dialect: 'strict' | 'lobster';
  compile(file: string, text: string, open: readonly string[], includedAt: SourceSpan): Finished | undefined;
}

export interface Finished {
  child: CompiledChild;
  /** Levels of files, this one included. */
  height: number;
}

/** @param open the files being compiled, from the pipeline itself to the one that includes */
export function includer(
  open: readonly string[],
  inclusion: Inclusion,
): { include: Include; isOpen(path: string): boolean; height(): number } {
  const { report, finished } = inclusion;
  const from = open[open.length - 1] ?? '';
  let height = 1;
  const include: Include = (path, who) => {
    const file = besideFile(from, path.value);
    const circle = open.indexOf(file);
    if (circle >= 0) return circular([...open.slice(circle), file], path, who, report);
    if (open.length > CHILD_DEPTH_LIMIT) return tooDeep(path, report);
    const key = `${inclusion.dialect} ${file}`;
    if (!finished.has(key)) {
      const text = inclusion.sources.read(file, PIPELINE_LIMIT_BYTES);
      if (text === undefined) return missing(file, path, who, from, inclusion);
      finished.set(key, inclusion.compile(file, text, [...open, file], path.at));
    }
    const done = finished.get(key);
    if (!done) return undefined;
    if (open.length + done.height - 1 > CHILD_DEPTH_LIMIT) return tooDeep(path, report);
    height = Math.max(height, done.height + 1);
    return done.child;
  };
  return { include, isOpen: (path) => open.includes(besideFile(from, path)), height: () => height };
}

function tooDeep(path: Located<string>, report: Report): undefined {
  const hint = 'let a pipeline further up name it';
  report('pipeline.too-deep', path.at, `"${path.value}" would be nested more than ${CHILD_DEPTH_LIMIT} pipelines deep`, hint);
  return undefined;
}

function circular(files: readonly string[], path: Located<string>, who: string | undefined, report: Report): undefined {
  const way = files.join(' → ');
  if (who === undefined) report('pipeline.cycle', path.at, `pipelines include each other: ${way}`, 'remove one of the steps');
  else {
    const message = `${who} creates a cycle: ${files.at(-1)} is already being executed`;
    report('pipeline.cycle', path.at, message, `remove one of the steps of ${way}`);
  }
  return undefined;
}

function missing(file: string, path: Located<string>, who: string | undefined, from: string, { sources, report }: Inclusion): undefined {
  const rule = 'paths are relative to the folder of this file; links must not lead out of the folder of the pipeline';
  const message = who === undefined ? `there is no file "${path.value}" that may be read` : `${who} workflow file not found: ${file}`;
  report('pipeline.missing-file', path.at, message, missingFileHint(path, from, sources, rule));
  return undefined;
}
