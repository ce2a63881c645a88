import type { Stats } from 'node:fs';
import { closeSync, fstatSync, fsyncSync, openSync, readSync, renameSync, statSync, unlinkSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';

/**
 * The file of a code cache: a header with the length of the index, the index as JSON, then the source and the compiled code of each module.
 *
 * Invariants: 1. only a file that its reader, root or the owner of the program wrote, and that nobody else can write, is read: code in it
 * runs; 2. a file is replaced as a whole, after its content has reached the disk; 3. nothing of it is used whose checksum is wrong: V8 crashes
 * on damaged code.
 */
export interface CachedModule {
  path: string;
  /** What `stampOf` said of the source file before it was read. */
  stamp: string;
  source: Buffer;
  code: Buffer;
}

/** Where `require` found a module: `from` is the folder of the module that asked. */
export interface Resolution {
  from: string;
  request: string;
  path: string;
}

export interface CacheContent {
  modules: readonly CachedModule[];
  resolutions: readonly Resolution[];
  /** Every path whose change may change a resolution, with its stamp. */
  watched: readonly (readonly [path: string, stamp: string])[];
}

type ModuleEntry = readonly [path: string, stamp: string, offset: number, sourceBytes: number, codeBytes: number, checksum: number];

interface Index extends Pick<CacheContent, 'watched'> {
  modules: readonly ModuleEntry[];
  resolutions: readonly (readonly [from: string, request: string, path: string])[];
}

/** Changes with every change of a file or a folder; empty where nothing is there. The change time cannot be set by hand: packages carry the same modification time in every version. */
export function stampOf(path: string): string {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats === undefined ? '' : `${stats.ctimeMs}:${stats.size}`;
  } catch {
    // What cannot be looked at is not there for `require` either.
    return '';
  }
}

/** Another form of the file takes another number. */
const MAGIC = 0x74686332;
/** Everyone may read what was compiled, and only its owner may change it: what is in it runs. */
const FILE_MODE = 0o644;
const HEAD_BYTES = 20;
const SCRATCH_BYTES = 64 * 1024;

/** A cache file that is open for reading; the file may be replaced meanwhile. */
export class CacheFile {
  /** One for all reads: hundreds of them would have V8 collect garbage again and again. */
  private scratch = Buffer.alloc(0);

  private constructor(
    private readonly descriptor: number,
    private readonly bodyAt: number,
    private readonly entries: ReadonlyMap<string, ModuleEntry>,
    private readonly resolutions: readonly Resolution[],
    readonly watched: CacheContent['watched'],
  ) {}

  /** Undefined where there is no file, or one that must not be trusted. */
  static at(path: string, owner: number | undefined): CacheFile | undefined {
    let descriptor: number;
    try {
      descriptor = openSync(path, 'r');
    } catch {
      return undefined;
    }
    try {
      const stats = fstatSync(descriptor);
      const head = isTrusted(stats, owner) ? readAt(descriptor, 0, HEAD_BYTES) : undefined;
      if (head !== undefined && head.readUInt32LE(0) === MAGIC && head.readDoubleLE(8) === stats.size) {
        const indexBytes = head.readUInt32LE(4);
        const indexText = readAt(descriptor, HEAD_BYTES, indexBytes);
        if (crc32(indexText) !== head.readUInt32LE(16)) throw new Error('the index of the code cache is damaged');
        const index: Index = JSON.parse(indexText.toString('utf8'));
        const resolutions = index.resolutions.map(([from, request, found]) => ({ from, request, path: found }));
        const entries = new Map(index.modules.map((entry) => [entry[0], entry]));
        return new CacheFile(descriptor, HEAD_BYTES + indexBytes, entries, resolutions, index.watched);
      }
    } catch {
      // A file that cannot be read or understood is as good as none, and is replaced by the next.
    }
    closeSync(descriptor);
    return undefined;
  }

  stampOf(path: string): string | undefined {
    return this.entries.get(path)?.[1];
  }

  /** Undefined where it cannot be read or is damaged. What it answers with is overwritten by the next read. */
  read(path: string): CachedModule | undefined {
    const entry = this.entries.get(path);
    if (entry === undefined) return undefined;
    const [, stamp, offset, sourceBytes, codeBytes, checksum] = entry;
    const length = sourceBytes + codeBytes;
    if (this.scratch.length < length) this.scratch = Buffer.allocUnsafeSlow(Math.max(length, 2 * this.scratch.length, SCRATCH_BYTES));
    const bytes = this.scratch.subarray(0, length);
    try {
      readInto(bytes, this.descriptor, this.bodyAt + offset);
    } catch {
      return undefined;
    }
    if (crc32(bytes) !== checksum) return undefined;
    return { path, stamp, source: bytes.subarray(0, sourceBytes), code: bytes.subarray(sourceBytes) };
  }

  /** None, where anything has changed that one of them depends on. */
  validResolutions(): readonly Resolution[] {
    return this.watched.every(([path, stamp]) => stampOf(path) === stamp) ? this.resolutions : [];
  }

  paths(): Iterable<string> {
    return this.entries.keys();
  }
}

function isTrusted({ uid, mode }: Stats, owner: number | undefined): boolean {
  const own = process.geteuid?.();
  return own === undefined || ((uid === own || uid === 0 || uid === owner) && (mode & 0o022) === 0);
}

function readAt(descriptor: number, position: number, length: number): Buffer {
  return readInto(Buffer.alloc(length), descriptor, position);
}

function readInto(bytes: Buffer, descriptor: number, position: number): Buffer {
  for (let read = 0; read < bytes.length; ) {
    const more = readSync(descriptor, bytes, read, bytes.length - read, position + read);
    if (more === 0) throw new Error('the code cache ends early');
    read += more;
  }
  return bytes;
}

/** Throws where the folder cannot be written. */
export function writeCacheFile(path: string, { modules, resolutions, watched }: CacheContent): void {
  let offset = 0;
  const entries = modules.map(({ path: file, stamp, source, code }): ModuleEntry => {
    const at = offset;
    offset += source.length + code.length;
    return [file, stamp, at, source.length, code.length, crc32(code, crc32(source))];
  });
  const index: Index = {
    modules: entries,
    watched,
    resolutions: resolutions.map(({ from, request, path: found }) => [from, request, found]),
  };
  const indexBytes = Buffer.from(JSON.stringify(index));
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32LE(MAGIC, 0);
  head.writeUInt32LE(indexBytes.length, 4);
  head.writeDoubleLE(HEAD_BYTES + indexBytes.length + offset, 8);
  head.writeUInt32LE(crc32(indexBytes), 16);
  replaceFile(path, Buffer.concat([head, indexBytes, ...modules.flatMap(({ source, code }) => [source, code])]));
}

function replaceFile(path: string, bytes: Buffer): void {
  const scratch = `${path}.${process.pid}`;
  try {
    const descriptor = openSync(scratch, 'wx', FILE_MODE);
    try {
      for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(scratch, path);
  } catch (error) {
    try {
      unlinkSync(scratch);
    } catch {
      // It was never made; the error that counts is the first.
    }
    throw error;
  }
}
