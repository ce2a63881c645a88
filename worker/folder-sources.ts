import { readdirSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { SOURCE_LIMIT_BYTES, type Sources } from '../compiler/sources';
import { readSourceFile } from './source-file';

/**
 * The files in a pipeline's folder, for the compiler. Every path must lead into the folder, links followed: a pipeline names its own files
 * and no others on the machine.
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
    // One byte more than is accepted, so that the compiler can tell that it is too much.
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
      // A path that leads nowhere is in no folder.
      return undefined;
    }
    const way = relative(this.root, real);
    return way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way) ? undefined : join(this.root, way);
  }
}
