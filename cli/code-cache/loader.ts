import Module from 'node:module';
import { dirname } from 'node:path';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';
import { defined } from '../../plan/defined';
import { type CachedModule, type CacheFile, stampOf } from './cache-file';
import type { NodeLoader } from './node-loader';
import { Resolver } from './resolver';

/**
 * Loads CommonJS modules from a code cache, and notes what the cache does not have. Whatever it does not know, it leaves to Node.
 *
 * Invariants: 1. a module comes from the cache only where its source file has the stamp that it had before it was read; 2. paths, lines,
 * errors and `require` are Node's own.
 */
export interface Loader {
  /** What was loaded that the cache did not have, compiled as far as it has run. */
  freshModules(): CachedModule[];
  resolver: Resolver;
}

/** Not where coverage is measured, which code from a cache would falsify, nor before Node 20.15, which has no `crc32`. */
export function canCacheCode(): boolean {
  return process.env['NODE_V8_COVERAGE'] === undefined && typeof crc32 === 'function';
}

export function installLoader(cached: CacheFile | undefined): Loader {
  const node = Module as unknown as NodeLoader;
  const loadPlainly = node._extensions['.js'];
  const compilePlainly = node.prototype._compile;
  const resolvePlainly = node._resolveFilename;
  if (loadPlainly === undefined) throw new Error('this Node has no loader for .js files');
  const resolver = new Resolver(cached, resolvePlainly, node);
  const fresh = new Map<string, { stamp: string; source: string; script: Script }>();
  const loading = new Map<string, string>();

  node._resolveFilename = (request, parent, isMain, options) =>
    isMain || options !== undefined ? resolvePlainly(request, parent, isMain, options) : resolver.resolve(request, parent);

  node._extensions['.js'] = (module, path) => {
    const stamp = stampOf(path);
    const known = cached?.stampOf(path) === stamp ? cached.read(path) : undefined;
    const script = known && scriptOf(textOf(known.source), path, known.code);
    if (script && script.cachedDataRejected !== true) {
      run(script, module, path);
      return;
    }
    loading.set(path, stamp);
    try {
      loadPlainly(module, path);
    } finally {
      loading.delete(path);
    }
  };

  node.prototype._compile = function (source, path, format) {
    const stamp = loading.get(path);
    const script = stamp && (format ?? 'commonjs') === 'commonjs' ? scriptIfValid(source, path) : undefined;
    if (!stamp || script === undefined) return compilePlainly.call(this, source, path, format);
    fresh.set(path, { stamp, source, script });
    return run(script, this, path);
  };

  const scriptOf = (source: string, filename: string, cachedData?: Buffer): Script => {
    const [before, after] = node.wrapper;
    return new Script(`${before}${source.replace(/^#!.*/, '')}${after}`, {
      filename,
      columnOffset: -before.length,
      ...defined({ cachedData }),
    });
  };

  /** Undefined where the source is no CommonJS module (Node knows what it is, or what is wrong with it), or imports dynamically, which a script of ours cannot. */
  const scriptIfValid = (source: string, path: string): Script | undefined => {
    if (/\bimport\s*\(/.test(source)) return undefined;
    try {
      return scriptOf(source, path);
    } catch {
      return undefined;
    }
  };

  const run = (script: Script, module: NodeJS.Module, path: string): unknown => {
    const compiled = script.runInThisContext() as CompiledModule;
    return compiled.call(module.exports, module.exports, requireOf(module, node), module, path, dirname(path));
  };

  return {
    resolver,
    freshModules: () =>
      [...fresh].map(([path, { stamp, source, script }]) => ({ path, stamp, source: bytesOf(source), code: script.createCachedData() })),
  };
}

type CompiledModule = (exports: unknown, require: NodeJS.Require, module: NodeJS.Module, path: string, folder: string) => unknown;

function requireOf(module: NodeJS.Module, node: NodeLoader): NodeJS.Require {
  const load = (request: string): unknown => module.require(request);
  const resolve = (request: string, options?: object): string => node._resolveFilename(request, module, false, options);
  const paths = (request: string): string[] | null => Module.createRequire(module.filename).resolve.paths(request);
  return Object.assign(load, {
    resolve: Object.assign(resolve, { paths }),
    main: require.main,
    extensions: require.extensions,
    cache: require.cache,
  });
}

/** A byte in front says how the text is written: most sources are Latin-1, which is read much faster than UTF-8. */
const LATIN1 = 1;
const UTF8 = 8;

function bytesOf(source: string): Buffer {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII means the same in both
  const ascii = /^[\x00-\x7f]*$/.test(source);
  return Buffer.concat([Buffer.from([ascii ? LATIN1 : UTF8]), Buffer.from(source, ascii ? 'latin1' : 'utf8')]);
}

function textOf(bytes: Buffer): string {
  return bytes.toString(bytes[0] === LATIN1 ? 'latin1' : 'utf8', 1);
}
