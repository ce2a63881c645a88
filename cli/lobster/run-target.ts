import { statSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import type { RunArguments } from './arguments';
import { lobsterErrorMessage, parseError } from './exit';

/** What `run` should run: a workflow file, or the program that its words make. */
export type RunTarget = { kind: 'file'; path: string; dryRun: boolean } | { kind: 'program'; text: string; dryRun: boolean };

const EXTENSIONS = ['.lobster', '.yaml', '.yml', '.json'];

/** The target of a run. A file named by its flag must exist (or it is a parse error); a single word is a file if there is one. */
export function runTargetOf({ file, rest, dryRun }: RunArguments, cwd: string): RunTarget {
  if (file) return { kind: 'file', path: workflowFile(file, cwd), dryRun };
  const words = rest.filter((word) => word !== '--dry-run');
  const trailing = words.length !== rest.length;
  const [only] = words;
  if (words.length === 1 && only !== undefined && (trailing || !only.includes('|'))) {
    const path = fileIfThere(only, cwd);
    if (path !== undefined) return { kind: 'file', path, dryRun: dryRun || trailing };
  }
  return { kind: 'program', text: rest.join(' '), dryRun };
}

/** Fails with a parse error in the system's own words, or Lobster's. */
export function workflowFile(given: string, cwd: string): string {
  const path = resolve(cwd, given);
  let isFile: boolean;
  try {
    isFile = statSync(path).isFile();
  } catch (error) {
    throw parseError(lobsterErrorMessage(error));
  }
  if (!isFile) throw parseError('Workflow path is not a file');
  if (!EXTENSIONS.includes(extname(path).toLowerCase())) {
    throw parseError('Workflow file must end in .lobster, .yaml, .yml, or .json');
  }
  return path;
}

function fileIfThere(given: string, cwd: string): string | undefined {
  try {
    return given === '' ? undefined : workflowFile(given, cwd);
  } catch {
    // A word that names no workflow file is a program.
    return undefined;
  }
}
