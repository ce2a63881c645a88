import { posix } from 'node:path';

/**
 * How the compiler reaches the files a pipeline names: agents, skills, schemas. It must not touch the disk itself.
 * Paths are posix, joined to the folder of the file that names them.
 */
export interface Sources {
  /**
   * The file's text; undefined if there is none that may be read, or if it is more than a byte larger than the limit.
   * @param limitBytes @default SOURCE_LIMIT_BYTES
   */
  read(path: string, limitBytes?: number): string | undefined;
  /** Names of a folder's entries, for suggestions; `[]` if there is no such folder. */
  list(folder: string): string[];
  /** Whether the path is a folder that may be read. Absent: listed folders contain none. */
  isFolder?(path: string): boolean;
}

/** Resolves `path`, as written in `file`, to a path from the same root as `file`. */
export function besideFile(file: string, path: string): string {
  return posix.isAbsolute(path) ? path : posix.join(posix.dirname(file), path);
}

/** The largest text of one agent or schema that is read. */
export const SOURCE_LIMIT_BYTES = 1024 * 1024;

/** The limit of a pipeline: as much as its plan may have. */
export const PIPELINE_LIMIT_BYTES = 16 * SOURCE_LIMIT_BYTES;

/** The limit of a script: a recorded one holds all that was said in a run. */
export const SCRIPT_LIMIT_BYTES = 16 * SOURCE_LIMIT_BYTES;
