import { readdirSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { SOURCE_LIMIT_BYTES, type Sources } from '../compiler/sources';
import { readSourceFile } from './source-file';

/**
 * The files beside a pipeline, for the compiler. What a path leads to, links followed, must are in the folder: a pipeline
 * names its own files and nothing else of the machine's.
 */
export class FolderSources implements Sources {
  private readonly root: string;

  /** @param folder the pipeline's own folder */
  constructor(folder: string) {
    this.root = realpathSync(folder);
  }

  read(path: string, limitBytes = SOURCE_LIMIT_BYTES): string | undefined {
    const real = this.inside(path);
    if (real === undefined) return undefined;
    const found = statSync(real);
    // One byte more than is taken, so that the compiler can say that it is too much.
    if (!found.isFile() || found.size > limitBytes + 1) return undefined;
    return readSourceFile(real);
  }

  list(folder: string): string[] {
    const real = this.inside(folder);
    return real !== undefined && statSync(real).isDirectory() ? readdirSync(real).sort() : [];
  }

  isFolder(path: string): boolean {
    const real = this.inside(path);
    return real !== undefined && statSync(real).isDirectory();
  }

  private inside(path: string): string | undefined {
    let real: string;
    try {
      real = realpathSync(resolve(path));
    } catch {
      return undefined;
    }
    const way = relative(this.root, real);
    return way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way) ? undefined : join(this.root, way);
  }
}
