import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type ExportManifest, readManifest } from '../../records/exports/export-manifest';
import { filesOf } from '../../records/exports/exported-run';
import { writeExport } from '../../records/exports/write-export';
import { openRecords } from '../../records/open-records';
import type { Records } from '../../records/records';
import { playToTheEnd, runScripted, type ScriptedRun } from '../main-job/workshop';
import { scratchFolder } from '../support/scratch-folder';
import { exported } from './exported';

const RUN = 'daily_quant_pipeline-test';
let run: ScriptedRun;
let records: Records;
beforeAll(async () => {
  run = await runScripted('daily_quant_pipeline', 'daily-quant');
  records = openRecords({ stateDir: run.stateDir });
  await playToTheEnd(run);
});
afterAll(() => run.close());

const manifestIn = (folder: string): ExportManifest =>
  readManifest(JSON.parse(readFileSync(join(folder, 'thermidor-export.json'), 'utf8')));

test('an export has the plan, the journal, outputs, transcripts, costs and a page, each with its digest', async () => {
  const folder = join(scratchFolder(), 'out');
  expect(await exported(records, RUN, folder)).toEqual([]);
  const manifest = manifestIn(folder);
  for (const { path, sha256, sizeBytes } of manifest.files) {
    const bytes = readFileSync(join(folder, path));
    expect([path, bytes.byteLength, createHash('sha256').update(bytes).digest('hex')]).toEqual([path, sizeBytes, sha256]);
    expect(statSync(join(folder, path)).mode & 0o777).toBe(0o600);
  }
  const textOf = (path: string | undefined): string => readFileSync(join(folder, path ?? ''), 'utf8');
  const { document, calls } = filesOf(manifest, RUN);
  const entries = textOf(document('journal')?.path).trim().split('\n');
  expect(entries.map((entry) => JSON.parse(entry))).toEqual(await run.journal());
  expect(JSON.parse(textOf(document('run')?.path))).toMatchObject({ view: run.status(), result: { status: 'completed' } });
  expect(JSON.parse(textOf(document('plan')?.path))).toMatchObject({ name: 'daily_quant_pipeline' });
  expect(calls('transcript').map(({ call }) => call)).toContain('converge#2~1');
  expect(textOf('artifacts/Strategy_Thesis.json')).toContain('order block');
  expect(JSON.parse(textOf('costs.json'))).toMatchObject({ run: RUN, scripted: 9 });
  const page = textOf('index.html');
  for (const word of ['Strategy_Thesis.json', 'chairman', 'Gates and decisions', 'converge']) expect(page).toContain(word);
});

test('a folder with files in it stays as it is, and an export that fails leaves nothing', async () => {
  const folder = join(scratchFolder(), 'out');
  mkdirSync(folder);
  writeFileSync(join(folder, 'mine.txt'), 'mine');
  await expect(exported(records, RUN, folder)).rejects.toMatchObject({ code: 'export.folder-not-empty' });
  await expect(exported(records, RUN, join(folder, 'mine.txt', 'x'))).rejects.toMatchObject({ code: 'export.unwritable' });
  expect(readdirSync(folder)).toEqual(['mine.txt']);
  const broken = writeExport(join(folder, 'broken'), async ({ add }) => {
    await add('artifacts/a', ['a'], { kind: 'artifact', mediaType: '' });
    throw new Error('no more');
  });
  await expect(broken).rejects.toThrow('no more');
  expect(readdirSync(folder)).toEqual(['mine.txt']);
});

test('while it is written an export has another name and no manifest: whatever ends the process, nothing looks whole', async () => {
  const folder = join(scratchFolder(), 'out');
  await writeExport(folder, async ({ add }) => {
    await add('artifacts/a', ['a'], { kind: 'artifact', mediaType: '' });
    const [partial = ''] = readdirSync(dirname(folder));
    expect(partial).toMatch(/^out\..+\.part$/);
    expect(existsSync(folder)).toBe(false);
    expect(existsSync(join(dirname(folder), partial, 'thermidor-export.json'))).toBe(false);
    return {
      ...({ format: 'thermidor-export', version: 1, run: 'r', pipeline: 'p', state: 'completed' } as const),
      ...{ exportedAt: '2026-11-30T12:00:00.000Z', by: '0', missing: [] },
    };
  });
  expect(readdirSync(dirname(folder))).toEqual(['out']);
  expect(manifestIn(folder).files).toHaveLength(1);
});
