import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { type PlannedCandidate, TEST } from './candidates';

const WHO = 'Bench <bench@localhost> 1700000000 +0000';

/** Makes a bare repository with `main`, and a commit on top of it for each candidate, kept by a ref. Returns the commits by name. */
export function makeRepository(folder: string, candidates: readonly PlannedCandidate[]): Map<string, string> {
  mkdirSync(folder, { recursive: true });
  git(folder, ['init', '--quiet', '--bare', '-b', 'main']);
  const first = commitOf('refs/heads/main', 'first', 'test.sh', TEST);
  const rest = candidates.map(({ name, file, text }) => commitOf(refOf(name), name, file, text, 'refs/heads/main'));
  git(folder, ['fast-import', '--quiet'], [first, ...rest].join(''));
  return new Map(candidates.map(({ name }) => [name, git(folder, ['rev-parse', refOf(name)])]));
}

export function git(folder: string, argv: readonly string[], input = ''): string {
  return execFileSync('git', ['-C', folder, ...argv], { input, encoding: 'utf8', maxBuffer: 2 ** 28 }).trim();
}

function refOf(name: string): string {
  return `refs/thermidor/bench/${name}/1`;
}

function commitOf(ref: string, message: string, file: string, text: string, from?: string): string {
  const parent = from === undefined ? '' : `from ${from}\n`;
  return `commit ${ref}\ncommitter ${WHO}\ndata ${message.length}\n${message}\n${parent}M 100644 inline ${file}\ndata ${text.length}\n${text}\n`;
}
