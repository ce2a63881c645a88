import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT } from '../../cli/exit';
import { runCommandLine } from '../../cli/program';
import { runCommand } from '../../cli/run-command';
import { scratchFolder } from '../support/scratch-folder';
import { fakeTerminal } from './fake-terminal';

const folder = scratchFolder();
beforeAll(() => {
  writeFileSync(join(folder, 'right.yaml'), 'name: p\nsteps:\n  - {id: a, run: "true"}\n');
  writeFileSync(join(folder, 'wrong.yaml'), 'name: p\nsteps:\n  - {id: a, run: "true", tiemout: 3s}\n');
});

const run = async (...argv: string[]) => {
  const terminal = fakeTerminal({ cwd: folder });
  return { exit: await runCommandLine(argv, terminal, '1.2.3'), ...terminal.written };
};

test('validate --format lines prints one line a mistake, and nothing for a file without any', async () => {
  const { exit, out } = await run('validate', '--format', 'lines', 'wrong.yaml', 'right.yaml');
  expect(exit).toBe(EXIT.usage);
  expect(out.split('\n')).toEqual([expect.stringMatching(/^wrong\.yaml:3:26: error shape\.unknown-key: /), '']);
  expect(await run('validate', '--format', 'lines', 'right.yaml')).toEqual({ exit: EXIT.done, out: '', err: '' });
});

test('validate --format lines has a line for a file that cannot be read', async () => {
  const { exit, out } = await run('validate', '--format', 'lines', 'none.yaml');
  expect(exit).toBe(EXIT.usage);
  expect(out).toMatch(/^none\.yaml:1:1: error pipeline\.unreadable: .*\n$/);
});

test('validate takes what run takes: a file, or the name of a pipeline', async () => {
  mkdirSync(join(folder, 'pipelines/tests'), { recursive: true });
  mkdirSync(join(folder, 'named'));
  writeFileSync(join(folder, 'pipelines/some-file.yaml'), 'name: named\nsteps:\n  - {id: a, run: "true"}\n');
  writeFileSync(join(folder, 'plain'), 'name: from_a_file\nsteps:\n  - {id: a, run: "true"}\n');
  const files = async (...given: string[]) => JSON.parse((await run('validate', '--json', ...given)).out).files;
  expect(await files('named', 'pipelines/some-file.yaml', 'plain')).toMatchObject([
    { file: 'named', ok: true, pipeline: 'named' },
    { ok: true, pipeline: 'named' },
    { ok: true, pipeline: 'from_a_file' },
  ]);
  expect(await files('nmaed', 'none.yaml')).toMatchObject([
    { ok: false, problem: { code: 'pipeline.not-found', message: expect.stringContaining('did you mean "named"') } },
    { ok: false, problem: { code: 'pipeline.unreadable' } },
  ]);
});

test('validate and plan know the people of thermidor.yaml', async () => {
  writeFileSync(join(folder, 'thermidor.yaml'), 'people: {chairman: {}}\ngroups: {board: [chairman]}\n');
  writeFileSync(join(folder, 'gate.yaml'), 'name: g\nsteps:\n  - {id: a, type: approval, approvers: [bord]}\n');
  try {
    expect((await run('validate', '--format', 'lines', 'gate.yaml')).out).toContain('people.unknown');
    await expect(run('plan', 'gate.yaml')).rejects.toMatchObject({ code: 'pipeline.invalid', exit: EXIT.usage });
    writeFileSync(join(folder, 'gate.yaml'), 'name: g\nsteps:\n  - {id: a, type: approval, approvers: [board]}\n');
    expect((await run('plan', 'gate.yaml')).out).toContain('a person decides: chairman');
  } finally {
    rmSync(join(folder, 'thermidor.yaml'));
  }
});

test('validate --json says of each mistake where it is explained, and a failure of its code', async () => {
  const [{ diagnostics }] = JSON.parse((await run('validate', '--json', 'wrong.yaml')).out).files;
  expect(diagnostics.length).toBeGreaterThan(0);
  for (const { code, docs } of diagnostics) expect(docs).toBe(`docs/diagnostics.md#${code}`);
  const terminal = fakeTerminal({ cwd: folder });
  expect(await runCommand(['run', 'nowhere', '--json'], terminal)).toBe(EXIT.usage);
  const { error } = JSON.parse(terminal.written.out);
  expect(error).toMatchObject({ code: 'pipeline.not-found', docs: 'docs/failures.md#pipeline.not-found' });
});

test('validate --format json is what --json is', async () => {
  expect((await run('validate', '--format', 'json', 'wrong.yaml')).out).toBe((await run('validate', '--json', 'wrong.yaml')).out);
});

test('schema prints one JSON document, of pipelines or of agents', async () => {
  const { exit, out } = await run('schema');
  expect(exit).toBe(EXIT.done);
  expect(JSON.parse(out)).toMatchObject({ $schema: expect.stringContaining('draft-07'), required: ['name'] });
  expect(JSON.parse((await run('schema', '--for', 'agent')).out)).toMatchObject({
    allOf: expect.arrayContaining([{ anyOf: [{ required: ['role'] }, { required: ['instructions'] }] }]),
  });
  expect((await run('schema', '--for', 'teapot')).exit).toBe(EXIT.usage);
});
