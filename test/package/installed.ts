import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { isJsonObject, type Json } from '../../plan/text/json';

const ROOT = resolve(__dirname, '../..');

/** The package as `npm install --global` installs it, in a folder of its own. */
export interface Installed {
  /** The folder for the PATH in which npm puts `thermidor`. */
  bin: string;
  /** The package's own folder. */
  folder: string;
  /** Paths within the package. */
  files: string[];
  packedBytes: number;
  unpackedBytes: number;
  remove(): void;
}

/**
 * Packs the checkout, and unpacks it where npm would. In place of downloads it gets links to the checkout's copies of the `dependencies` in
 * package.json, and to nothing else, so it cannot use packages for development.
 */
export function installPacked(): Installed {
  const prefix = mkdtempSync(join(tmpdir(), 'thermidor-package-'));
  // Tests run after a build, so `prepack` would do nothing new.
  const packed = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', prefix], {
    ...{ cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
  });
  const { filename, size, unpackedSize, files } = readPacked(JSON.parse(packed) as Json);
  const folder = join(prefix, 'lib', 'node_modules', 'thermidor');
  mkdirSync(folder, { recursive: true });
  execFileSync('tar', ['-xzf', join(prefix, filename), '-C', folder, '--strip-components', '1']);
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
  for (const name of Object.keys(manifest.dependencies)) {
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), link);
  }
  const bin = join(prefix, 'bin');
  mkdirSync(bin);
  symlinkSync(join(folder, manifest.bin.thermidor), join(bin, 'thermidor'));
  const remove = (): void => rmSync(prefix, { recursive: true, force: true });
  return { bin, folder, files, packedBytes: size, unpackedBytes: unpackedSize, remove };
}

interface Manifest {
  bin: { thermidor: string };
  dependencies: Record<string, string>;
}

interface Packed {
  filename: string;
  size: number;
  unpackedSize: number;
  files: string[];
}

/** Reads the output of `npm pack --json` about the one package: a list of one or, from npm 12 on, a mapping by name. */
function readPacked(said: Json): Packed {
  const [one] = Array.isArray(said) ? said : isJsonObject(said) ? Object.values(said) : [];
  if (!isJsonObject(one)) throw new Error(`npm pack said ${JSON.stringify(said)}`);
  const { filename, size, unpackedSize, files } = one;
  if (typeof filename !== 'string' || typeof size !== 'number' || typeof unpackedSize !== 'number' || !Array.isArray(files))
    throw new Error(`npm pack said ${JSON.stringify(said)}`);
  return { filename, size, unpackedSize, files: files.flatMap((file) => (isJsonObject(file) ? [String(file['path'])] : [])) };
}
