import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { git, lines } from '../../bench/caid/git-command';
import { type Laboratory, laboratory } from '../../bench/caid/laboratory';
import type { Library } from '../../bench/caid/library';
import { writeTree } from '../../bench/caid/load-time';

/** A mistake that an engineer makes, once. Names are those in `oracle/faults.cjs`. */
export type PlannedFault =
  | { task: string; fault: 'wrong' | 'crash' | 'rewrites-history' | 'deletes-git' }
  | { task: string; fault: 'conflict'; with: string; patienceMs: number }
  | { task: string; fault: 'zombie'; delayMs: number; escapes?: boolean }
  | { task: string; fault: 'restricted'; path?: string }
  | { task: string; fault: 'test-deleted'; path: string }
  | { task: string; fault: 'trespasses'; paths?: string[] };

export interface LabFolder {
  lab: Laboratory;
  /** A checkout of `main` with the stubs. */
  repository: string;
  /** The commit of the stubs. */
  base: string;
  /** The command line of an oracle. */
  oracle: string[];
  /** The oracles' diary. */
  diary(): DiaryEntry[];
}

export interface DiaryEntry {
  at: number;
  pid: number;
  task: string;
  attempt: number;
  cwd: string;
  event: 'begun' | 'fault' | 'given-up' | 'zombie' | 'trespassed' | 'reported';
  fault?: string;
  zombie?: number;
  path?: string;
  latencyMs?: number;
  /** The commit of the worktree when it begins. */
  head?: string;
  failed?: number;
}

export interface LabOptions {
  seed?: number;
  latencyMs?: readonly [number, number];
  faults?: readonly PlannedFault[];
  /** The files that have stubs. @default all that can */
  files?: readonly string[];
}

/** Each library is made once in a process: that takes a second, and the result is always the same. */
const made = new Map<string, Laboratory>();

function laboratoryOf(library: Library, files?: readonly string[]): Laboratory {
  const key = [library.name, ...(files ?? [])].join(' ');
  const lab = made.get(key) ?? laboratory(library, (path) => files?.includes(path) ?? true);
  made.set(key, lab);
  return lab;
}

const ORACLE = join(__dirname, 'oracle', 'oracle.cjs');

/** A folder with a repository to restore, what oracles need to know, and nothing else. */
export function makeLabFolder(
  folder: string,
  library: Library,
  { seed = 1, latencyMs = [0, 0], faults = [], files }: LabOptions = {},
): LabFolder {
  const lab = laboratoryOf(library, files);
  const [repository, reference, stubbed] = ['repository', 'reference', 'stubbed'].map((name) => join(folder, name));
  if (repository === undefined || reference === undefined || stubbed === undefined) throw new RangeError('three folders');
  for (const [path, tree] of [
    [repository, lab.stubbed],
    [stubbed, lab.stubbed],
    [reference, lab.reference],
  ] as const) {
    mkdirSync(path, { recursive: true });
    writeTree(path, tree);
  }
  git(repository, 'init', '-q', '-b', 'main');
  git(repository, 'add', '-A');
  git(repository, 'commit', '-q', '-m', 'stubs');
  const diary = join(folder, 'diary');
  const settings = { seed, latencyMs, reference, stubbed, repository, branch: 'main', graph: lab.graph, stubs: lab.stubs, faults, diary };
  writeFileSync(join(folder, 'lab.json'), JSON.stringify(settings));
  return {
    ...{ lab, repository, base: git(repository, 'rev-parse', 'HEAD') },
    oracle: [process.execPath, ORACLE, join(folder, 'lab.json')],
    diary: () => (existsSync(diary) ? lines(readFileSync(diary, 'utf8')).map((line): DiaryEntry => JSON.parse(line)) : []),
  };
}
