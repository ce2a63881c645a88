import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { buildIdOf } from '../../../worker/build-id';

const ROOT = resolve(__dirname, '../../..');
const BUNDLE = join('dist', 'workflow-bundle.js');
const RUN_VERSION = /^exports\.RUN_VERSION = \d+;$/m;

/** The program of the repository, or a changed copy of it. */
export interface Build {
  main: string;
  /** As people type it. */
  version: string;
}

function buildIn(root: string): Build {
  return { main: join(root, 'dist', 'cli', 'main.js'), version: buildIdOf(join(root, BUNDLE)).replace(/^.*\+/, '') };
}

export const THIS_BUILD = (): Build => buildIn(ROOT);

/** Makes a copy in a new folder whose workflow code has another digest. @param runVersion of what it begins; absent: the same */
export function otherBuild(folder: string, runVersion?: number): Build {
  const leftOut = /\.(d\.ts|map|tsbuildinfo)$|\/dist\/bench$/;
  cpSync(join(ROOT, 'dist'), join(folder, 'dist'), { recursive: true, filter: (path) => !leftOut.test(path) });
  cpSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  for (const file of [BUNDLE, join('dist', 'plan', 'run', 'run-activities.js')]) {
    const path = join(folder, file);
    const text = readFileSync(path, 'utf8');
    if (!RUN_VERSION.test(text)) throw new Error(`${file} names no version of runs`);
    writeFileSync(
      path,
      runVersion === undefined ? `${text}\n// another build\n` : text.replace(RUN_VERSION, `exports.RUN_VERSION = ${runVersion};`),
    );
  }
  return buildIn(folder);
}
