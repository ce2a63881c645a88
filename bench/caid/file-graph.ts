import { posix } from 'node:path';
import type { Tree } from './library';
import { parseSource } from './parse-source';

/** The files that each file of a tree imports, by name, itself excluded; in the order of paths. */
export type FileGraph = ReadonlyMap<string, readonly string[]>;

export function fileGraph(tree: Tree): FileGraph {
  const targets = ownNames(tree);
  const resolve = (from: string, specifier: string): string[] => {
    const exact = targets.get(specifier);
    if (exact !== undefined) return [exact];
    if (!specifier.startsWith('.')) return [];
    const path = posix.normalize(posix.join(posix.dirname(from), specifier)).replace(/^\.\/|\/$/g, '');
    return [path, `${path}.js`, path === '.' || path === '' ? 'index.js' : `${path}/index.js`].filter((name) => tree.has(name)).slice(0, 1);
  };
  const code = [...tree].filter(([path]) => path.endsWith('.js'));
  return new Map(
    code.map(([path, text]) => [
      path,
      [...new Set(parseSource(text).imports.flatMap((one) => resolve(path, one)))].filter((to) => to !== path).sort(),
    ]),
  );
}

/** A package may import itself by the names that its `exports` have. */
function ownNames(tree: Tree): ReadonlyMap<string, string> {
  const manifest: unknown = JSON.parse(tree.get('package.json') ?? '{}');
  if (typeof manifest !== 'object' || manifest === null || !('name' in manifest) || !('exports' in manifest)) return new Map();
  const { name, exports } = manifest;
  if (typeof name !== 'string' || typeof exports !== 'object' || exports === null) return new Map();
  return new Map(
    Object.entries(exports).flatMap(([key, target]) => {
      const path: unknown = typeof target === 'object' && target !== null && 'import' in target ? target.import : target;
      return typeof path === 'string' ? [[posix.join(name, key), posix.normalize(path)]] : [];
    }),
  );
}

/** All files that a file reaches, itself included. `isEnd`: files that are not followed further. */
export function reached(graph: FileGraph, from: string, isEnd: (path: string) => boolean = () => false): Set<string> {
  const seen = new Set([from]);
  const open = [from];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (path !== from && isEnd(path)) continue;
    for (const next of graph.get(path) ?? []) {
      if (seen.has(next)) continue;
      seen.add(next);
      open.push(next);
    }
  }
  return seen;
}
