import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { BenchOptions } from '../bench';
import type { Scratch } from '../scratch';

/** What every case of the bench needs. */
export interface Stage extends Scratch, Pick<BenchOptions, 'rounds' | 'say' | 'profileDir'> {}

/** The build that the bench was started from. */
export function distFolder(): string {
  const dist = dirname(dirname(__dirname));
  if (basename(dist) !== 'dist' || !existsSync(commandLine(dist))) throw new Error('the bench runs from the build: use `npm run bench`');
  return dist;
}

export function commandLine(dist: string): string {
  return join(dist, 'cli', 'main.js');
}

/** Flags of Node for a process that is measured. */
export function profiling(profileDir: string | undefined): string[] {
  return profileDir === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileDir}`];
}
