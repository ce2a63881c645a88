import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createGit, type GitSettings } from '../../activities/adapters/git/git';
import type { Repository } from '../../activities/git-model';
import type { Git } from '../../activities/git-port';
import { ThermidorFailure } from '../../plan/run/failure';
import { field } from '../../plan/text/json';
import { scratchFolder, writeFiles } from '../support/scratch-folder';

/** Git itself makes real repositories in scratch folders. */
export const never = new AbortController().signal;
export const SIGNATURE = { name: 'Ada', email: 'ada@example.org', atMs: 1_700_000_000_000 };

afterAll(() => {
  templates.clear();
  shared = undefined;
});

export { scratchFolder };

export const ENVIRONMENT = {
  ...process.env,
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'Bob',
  GIT_AUTHOR_EMAIL: 'bob@example.org',
  GIT_COMMITTER_NAME: 'Bob',
  GIT_COMMITTER_EMAIL: 'bob@example.org',
  GIT_AUTHOR_DATE: '1690000000 +0200',
  GIT_COMMITTER_DATE: '1690000000 +0200',
};

/** Runs git as a person does. Returns its output without the last line end. */
export function sh(folder: string, ...argv: string[]): string {
  return shBytes(folder, ...argv)
    .toString('utf8')
    .replace(/\n$/, '');
}

export function shBytes(folder: string, ...argv: string[]): Buffer {
  return execFileSync('git', argv, { cwd: folder, env: ENVIRONMENT, stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 2 ** 28 });
}

export type Files = Readonly<Record<string, string>>;

export const write = (folder: string, files: Files): void => void writeFiles(files, folder);

/** Commits the contents of the folder. */
export function commit(folder: string, message: string, files: Files = {}): string {
  write(folder, files);
  sh(folder, 'add', '--all');
  const said = sh(folder, '-c', 'core.abbrev=no', 'commit', '--allow-empty', '--no-verify', '-m', message);
  // `[main 1f0c…] message`
  const [, id = said] = / ([0-9a-f]{40,})\] /.exec(said) ?? [];
  return id;
}

const templates = new Map<string, string>();

/** Git makes a repository once for each set of files; the others are copies. */
export function newRepository(files: Files = { 'a.txt': 'a\n' }, folder = join(scratchFolder(), 'repository')): string {
  const key = JSON.stringify(files);
  const template = templates.get(key) ?? join(scratchFolder(), 'template');
  if (!templates.has(key)) {
    mkdirSync(template);
    sh(template, 'init', '--quiet', '-b', 'main', '--template=');
    commit(template, 'first', files);
    templates.set(key, template);
  }
  cpSync(template, folder, { recursive: true });
  return folder;
}

/** Makes a commit on top of another, by one process. Nothing else changes but a ref: the one given, or one that only the scene uses. */
export function commitOn(folder: string, base: string, files: Files, message = 'change', ref = `refs/scene/${randomUUID()}`): string {
  const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`;
  const who = 'Bob <bob@example.org> 1690000000 +0200';
  const lines = [
    `commit ${ref}\nmark :1\nauthor ${who}\ncommitter ${who}\n${data(`${message}\n`)}from ${base}\n`,
    ...Object.entries(files).map(([name, text]) => `M 100644 inline ${JSON.stringify(name)}\n${data(text)}`),
    '\nget-mark :1\n',
  ];
  return execFileSync('git', ['fast-import', '--quiet', '--force'], { cwd: folder, env: ENVIRONMENT, input: lines.join('') })
    .toString('latin1')
    .trim();
}

export interface Scene {
  git: Git;
  folder: string;
  repository: Repository;
  head: string;
}

let shared: Git | undefined;

export async function scene(files?: Files, settings?: Partial<GitSettings>): Promise<Scene> {
  shared ??= newGit();
  const git = settings ? newGit(settings) : shared;
  const folder = newRepository(files);
  const repository = await git.repositories.open(folder, never);
  return { git, folder, repository, head: await git.repositories.resolve(repository, 'HEAD', never) };
}

export function newGit(settings: Partial<GitSettings> = {}): Git {
  return createGit({ environment: process.env, scratch: scratchFolder(), ...settings });
}

/** `code/problem` of a call's failure. */
export async function problemOf(work: Promise<unknown>): Promise<string> {
  const failure = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(failure instanceof ThermidorFailure)) throw failure ?? new Error('it did not fail');
  return `${failure.code}/${String(field(failure.details, 'problem'))}`;
}

export const texts = (paths: readonly Buffer[]): string[] => paths.map((path) => path.toString('latin1'));
