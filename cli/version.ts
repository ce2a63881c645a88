import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The version stands in package.json, two folders up from `dist/cli`; one up from the sources. */
export function version(): string {
  for (const up of [['..', '..'], ['..']]) {
    const manifest = readManifest(join(__dirname, ...up, 'package.json'));
    if (manifest !== undefined) return manifest;
  }
  return '0.0.0';
}

function readManifest(path: string): string | undefined {
  try {
    const manifest: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return typeof manifest === 'object' && manifest !== null && 'version' in manifest ? String(manifest.version) : undefined;
  } catch {
    return undefined;
  }
}
