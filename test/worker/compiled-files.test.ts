import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { NO_INSTALLATION } from '../../compiler/index';
import { CompiledFiles } from '../../worker/compiled-files';
import { scratchFolder, writeFiles } from '../support/scratch-folder';

const root = scratchFolder();

const FILES = {
  'demo.yaml': 'name: demo\nsteps:\n  - {id: ask, agent: bull}\n  - {id: deploy, pipeline: child.yaml}\n',
  'child.yaml': 'name: child\nsteps:\n  - {id: go, run: "true"}\n',
  'agents/bull.yaml': 'role: You make the bull case.\n',
};

let files: CompiledFiles;
beforeEach(() => {
  for (const [path, text] of Object.entries(FILES)) write(path, text);
  files = new CompiledFiles(NO_INSTALLATION);
});

const write = (path: string, text: string) => writeFiles({ [path]: text }, root);

const compile = () => files.compile(join(root, 'demo.yaml'));

test('a file that nothing has changed is compiled once', () => {
  const first = compile();
  expect(first.plan).toBeDefined();
  expect(compile()).toBe(first);
  write('demo.yaml', FILES['demo.yaml']);
  expect(compile()).toBe(first);
});

test.each([
  ['the file', 'demo.yaml'],
  ['an agent', 'agents/bull.yaml'],
  ['a child pipeline', 'child.yaml'],
])('%s that has changed is compiled again', (_, path) => {
  const first = compile();
  write(path, FILES[path as keyof typeof FILES].replace('bull case', 'bear case').replace('true', 'false').replace('id: ask', 'id: asked'));
  const second = compile();
  expect(second.plan).toBeDefined();
  expect(second.plan).not.toEqual(first.plan);
  write(path, FILES[path as keyof typeof FILES]);
  expect(compile().plan).toEqual(first.plan);
});

test('a file that is gone, and one that was missing', () => {
  expect(compile().plan).toBeDefined();
  rmSync(join(root, 'agents/bull.yaml'));
  expect(compile().plan).toBeUndefined();
  write('agents/bull.yaml', FILES['agents/bull.yaml']);
  expect(compile().plan).toBeDefined();
});

test('a mistake is reported each time', () => {
  write('demo.yaml', 'name: demo\nsteps: 3\n');
  expect(compile().diagnostics).toEqual(compile().diagnostics);
  expect(compile().plan).toBeUndefined();
});

test('no more files are kept than a worker starts often', () => {
  const first = compile();
  for (let i = 0; i < 16; i += 1) {
    write(`p${i}.yaml`, `name: p${i}\nsteps:\n  - {id: go, run: "true"}\n`);
    files.compile(join(root, `p${i}.yaml`));
  }
  expect(compile()).not.toBe(first);
  expect(compile().plan).toEqual(first.plan);
});

test('a file whose agents are larger than what is gained by keeping it', () => {
  const role = `role: ${'x'.repeat(600_000)}\n`;
  write('agents/bear.yaml', role);
  write('agents/bull.yaml', role);
  write('large.yaml', 'name: large\nsteps:\n  - {id: ask, agent: bull}\n  - {id: answer, agent: bear}\n');
  const [first, second] = [1, 2].map(() => files.compile(join(root, 'large.yaml')));
  expect(first?.plan).toBeDefined();
  expect(second?.plan).toEqual(first?.plan);
  expect(second).not.toBe(first);
});
