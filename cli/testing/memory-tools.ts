import { ThreadLineSearch } from '../../activities/adapters/threads/line-search';
import { namesWithin } from '../../activities/adapters/work-folder/path-within';
import { contentDigest } from '../../activities/gates/content-digest';
import {
  type FileContent,
  type Found,
  type PathInFolder,
  type ToolPorts,
  ToolRefusal,
  type WorkFolders,
} from '../../activities/tool-ports';
import { ThermidorFailure } from '../../plan/run/failure';

/** What agents' tools reach in a test: files in memory, by folder and path, and no web. */
export function memoryTools(): ToolPorts {
  return {
    files: new MemoryFolders(),
    lines: new ThreadLineSearch(),
    web: { get: () => Promise.reject(new ThermidorFailure('tool.failed', 'a test sends no requests to the web')) },
    variables: () => ({}),
  };
}

class MemoryFolders implements WorkFolders {
  private readonly folders = new Map<string, Map<string, string>>();

  async read(place: PathInFolder): Promise<FileContent> {
    const path = pathOf(place);
    const text = this.at(place).get(path);
    if (text === undefined) throw new ThermidorFailure('tool.failed', `"${path}" is not there`, { reason: 'ENOENT' });
    return { path, content: Buffer.from(text), version: contentDigest(text).sha256 };
  }

  async write(place: PathInFolder, text: string): Promise<{ made: boolean }> {
    const path = pathOf(place);
    if (path === '') throw new ToolRefusal("this is the step's folder itself, not a file");
    const made = !this.at(place).has(path);
    this.at(place).set(path, text);
    return { made };
  }

  async *walk(place: PathInFolder, depth: number): AsyncGenerator<Found> {
    const start = namesWithin([place.folder], place.path);
    const reported = new Set<string>();
    for (const [path, text] of [...this.at(place)].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const names = path.split('/');
      if (!start.every((name, i) => names[i] === name)) continue;
      for (let level = start.length + 1; level <= Math.min(names.length, start.length + depth); level += 1) {
        const found = names.slice(0, level).join('/');
        if (reported.has(found)) continue;
        reported.add(found);
        const below = names.slice(start.length, level).join('/');
        yield level < names.length
          ? { kind: 'folder', path: found, below }
          : { kind: 'file', path: found, below, sizeBytes: Buffer.byteLength(text) };
      }
    }
  }

  private at({ folder }: PathInFolder): Map<string, string> {
    const files = this.folders.get(folder) ?? new Map<string, string>();
    this.folders.set(folder, files);
    return files;
  }
}

function pathOf({ folder, path }: PathInFolder): string {
  return namesWithin([folder], path).join('/');
}
