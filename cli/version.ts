import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_ROOT } from './package-root';

/** The version in package.json; 0.0.0 if that cannot be read, because no command fails for want of it. */
export function version(): string {
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(PACKAGE_ROOT, 'package.json'), 'utf8'));
    return typeof manifest === 'object' && manifest !== null && 'version' in manifest ? String(manifest.version) : '0.0.0';
  } catch {
    return '0.0.0';
  }
}
