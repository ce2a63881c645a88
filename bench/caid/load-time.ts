import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isCode, type Tree } from './library';
import { probed } from './stub';

const PROBE = '__called';

/** Loads each file of a library once, in a process of its own, and returns the functions that ran meanwhile: `path#name`. */
export function functionsAtLoad(tree: Tree): ReadonlySet<string> {
  const folder = mkdtempSync(join(tmpdir(), 'thermidor-load-'));
  try {
    writeTree(folder, new Map([...tree].map(([path, text]) => [path, isCode(path) ? probed(path, text, PROBE) : text])));
    const urls = [...tree.keys()].filter(isCode).map((path) => pathToFileURL(join(folder, path)).href);
    const program = `const called = new Set(); globalThis.${PROBE} = (name) => called.add(name);
for (const url of ${JSON.stringify(urls)}) await import(url);
const atLoad = [...called]; process.stdout.write(JSON.stringify(atLoad));`;
    const names: unknown = JSON.parse(
      execFileSync(process.execPath, ['--input-type=module', '-e', program], { cwd: folder, encoding: 'utf8' }),
    );
    if (!Array.isArray(names)) throw new TypeError('the probe has said nothing');
    return new Set(names.map(String));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function writeTree(folder: string, tree: Tree): void {
  for (const [path, text] of tree) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}
