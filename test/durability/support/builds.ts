import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { FleetVersions } from '../../../client/fleet-versions';
import { buildIdOf } from '../../../worker/build-id';
import type { Program } from './program';
import type { Scratch } from './scratch';
import { until } from './until';

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

export function thisBuild(): Build {
  return buildIn(ROOT);
}

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

/** A worker of a build, also for steps of the queue `gpu`. */
export function workOn(scratch: Scratch, { main }: Build): Program {
  return scratch.start(process.execPath, [main, 'worker', '--queues', 'default,gpu']);
}

/** Waits until a build has a living worker and is in a state. */
export async function untilVersion(scratch: Scratch, { version }: Build, state: string): Promise<void> {
  await until(`${version} is ${state}`, async () => {
    const { code, out } = await scratch.ask('fleet', 'versions', '--json');
    if (code !== 0) return false;
    const found = (JSON.parse(out) as FleetVersions).versions.find(({ build }) => build.endsWith(version));
    return found?.state === state && found.workers.length > 0;
  });
}

/** Ends a worker in order. */
export async function end(worker: Program): Promise<void> {
  worker.signal('SIGTERM');
  await worker.finished;
}
