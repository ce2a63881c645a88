import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';

interface Workflow {
  on: Record<string, unknown>;
  permissions: Record<string, string>;
  jobs: Record<string, { strategy?: { matrix: { os: string[]; node: number[] } }; steps: { uses?: string; run?: string }[] }>;
}

const root = join(__dirname, '..', '..');
const run = readFileSync(join(root, '.ci', 'run'), 'utf8');
const commands = run.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
const read = (name: string) => load(readFileSync(join(root, '.github', 'workflows', `${name}.yml`), 'utf8')) as Workflow;
const workflow = read('ci');
const nightly = read('prove');

it('the check is a program of its own that stops at the first failure', () => {
  expect(statSync(join(root, '.ci', 'run')).mode & 0o111).not.toBe(0);
  expect(run.startsWith('#!/usr/bin/env bash\n')).toBe(true);
  expect(commands[0]).toBe('set -euo pipefail');
});

it('removes what would hide a missing step, then runs exactly the README’s command', () => {
  const removed = commands.find((line) => line.startsWith('rm -rf '))?.split(' ');
  expect(removed).toEqual(expect.arrayContaining(['node_modules', 'dist', 'coverage']));
  expect(removed).not.toContain('.thermidor');
  expect(commands.at(-1)).toBe('npm cit');
});

it('the public host runs the same on two systems and three versions of Node', () => {
  const check = workflow.jobs['check'];
  expect(check?.strategy?.matrix.os.map((os) => os.split('-')[0])).toEqual(['ubuntu', 'macos']);
  expect(check?.strategy?.matrix.node).toEqual([20, 22, 24]);
  expect(check?.steps.flatMap((step) => step.run ?? [])).toEqual(['.ci/run']);
});

it('every night the public host tries what the check leaves out', () => {
  expect(nightly.on).toHaveProperty('schedule');
  expect(nightly.jobs['prove']?.steps.flatMap((step) => step.run ?? [])).toEqual(['npm ci', 'npm run prove']);
});

it('the public host may only read the repository', () => {
  for (const { permissions } of [workflow, nightly]) expect(permissions).toEqual({ contents: 'read' });
});
