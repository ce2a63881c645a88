// A repository with one commit on `main`, with which a case begins.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export function makeRepository(folder, files) {
  const git = (...args) => execFileSync('git', ['-C', folder, '-c', 'user.name=Ann', '-c', 'user.email=ann@localhost', ...args]);
  mkdirSync(folder);
  git('init', '-q', '-b', 'main');
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  git('add', '-A');
  git('commit', '-q', '-m', 'begin');
}
