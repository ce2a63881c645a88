import { dirname, isAbsolute, join, sep } from 'node:path';
import { type CacheContent, type CacheFile, type Resolution, stampOf } from './cache-file';
import type { NodeLoader } from './node-loader';

/**
 * Remembers where `require` found a module. Finding it again costs Node a dozen looks at the disk.
 *
 * Invariants: 1. a remembered place counts only while its file is unchanged; 2. that of a package counts only while no folder changes in
 * which Node would look for it first, nor the package's manifest.
 */
export class Resolver {
  private readonly remembered = new Map<string, string>();
  private readonly found: Resolution[] = [];
  private readonly watched = new Map<string, string>();

  constructor(
    private readonly cached: CacheFile | undefined,
    private readonly resolvePlainly: NodeLoader['_resolveFilename'],
    private readonly node: Pick<NodeLoader, '_nodeModulePaths'>,
  ) {
    for (const resolution of cached?.validResolutions() ?? []) this.remembered.set(keyOf(resolution), resolution.path);
  }

  resolve(request: string, parent: NodeJS.Module | null | undefined): string {
    if (!parent?.filename || isAbsolute(request)) return this.resolvePlainly(request, parent);
    const from = dirname(parent.filename);
    const known = this.remembered.get(keyOf({ from, request }));
    if (known !== undefined && this.cached?.stampOf(known) === stampOf(known)) return known;
    const path = this.resolvePlainly(request, parent);
    if (path.endsWith('.js') && isAbsolute(path)) this.note({ from, request, path });
    return path;
  }

  /** What was found in this process, and the stamps of what it depends on as they were when it was found. */
  fresh(): Pick<CacheContent, 'resolutions' | 'watched'> {
    return { resolutions: this.found, watched: [...this.watched] };
  }

  private note(resolution: Resolution): void {
    const watched = watchedBy(resolution, this.node._nodeModulePaths(resolution.from));
    if (watched === undefined) return;
    for (const path of watched) if (!this.watched.has(path)) this.watched.set(path, stampOf(path));
    this.found.push(resolution);
  }
}

/** Everything that the way to `resolution` depends on, but for the file itself; undefined where that cannot be said, as of linked packages. */
function watchedBy({ request, path }: Resolution, folders: readonly string[]): string[] | undefined {
  if (request.startsWith('.')) return [];
  const [first = '', second = ''] = request.split('/');
  const scope = first.startsWith('@') ? first : undefined;
  const name = scope === undefined ? first : join(scope, second);
  const at = folders.findIndex((folder) => path.startsWith(join(folder, name) + sep));
  const found = folders[at];
  if (found === undefined) return undefined;
  const looked = folders.slice(0, at + 1).flatMap((folder) => (scope === undefined ? [folder] : [folder, join(folder, scope)]));
  return [...looked, join(found, name, 'package.json')];
}

export function keyOf({ from, request }: Pick<Resolution, 'from' | 'request'>): string {
  return `${from}\0${request}`;
}
