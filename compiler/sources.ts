import { posix } from 'node:path';

/**
 * How the compiler reaches the files a pipeline names: agents, schemas. It must not touch the disk itself.
 * Paths are posix, joined to the folder of the file that names them.
 */
export interface Sources {
  /** The file's text; undefined where there is none that may be read. */
  read(path: string): string | undefined;
  /** Names of a folder's entries, for suggestions; `[]` where there is no such folder. */
  list(folder: string): string[];
}

/** `path` as written in `file`, from where `file` itself is named. */
export function besideFile(file: string, path: string): string {
  return posix.isAbsolute(path) ? path : posix.join(posix.dirname(file), path);
}

/** The largest text of one pipeline, agent, schema or script that is read. */
export const SOURCE_LIMIT_BYTES = 1024 * 1024;
