import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { importRun } from '../../cli/importing/import-run';
import { nextLines } from '../../cli/rendering/next-actions';
import { findRun, findRunToOrder } from '../../client/find-run';
import { readJournal } from '../../client/read-journal';
import { readLiveRun } from '../../client/read-live-run';
import { readOutcome } from '../../client/read-outcome';
import { readCarry, readPlan } from '../../client/read-run';
import type { RunView } from '../../plan/run/status';
import { readCosts } from '../../records/accounts/read-costs';
import { readPaid } from '../../records/accounts/read-paid';
import { folderTransfer } from '../../records/directory/transfer/folder-transfer';
import { type ExportManifest, MANIFEST } from '../../records/exports/export-manifest';
import { openRecords } from '../../records/open-records';
import type { Records } from '../../records/records';
import { isImported, readImport } from '../../records/runs/imported-run';
import { KeyRing } from '../../records/sealing/key-ring';
import { playToTheEnd, runScripted, type ScriptedRun } from '../main-job/workshop';
import { scratchFolder } from '../support/scratch-folder';
import { exported, forgetfulClient } from './exported';

const RUN = 'daily_quant_pipeline-test';
let run: ScriptedRun;
let made: string;
beforeAll(async () => {
  run = await runScripted('daily_quant_pipeline', 'daily-quant');
  await playToTheEnd(run);
  const records = openRecords({ stateDir: run.stateDir });
  const { runs } = records;
  const [key = { workflowId: RUN, run: '' }] = await runs.runsOf(RUN);
  const log = records.logs.open(key, 'intel#1~1', { attempt: 1, trouble: () => undefined });
  log.add([{ at: '2026-11-30T11:00:00.000Z', from: 'stdout', text: 'a printed line' }]);
  await log.close();
  made = join(scratchFolder(), 'made');
  await exported(records, RUN, made);
});
afterAll(() => run.close());

interface Elsewhere {
  records: Records;
  take(folder?: string): Promise<boolean>;
}

function elsewhere(keys = new KeyRing()): Elsewhere {
  const stateDir = scratchFolder();
  const records = openRecords({ stateDir, keys });
  const store = folderTransfer(stateDir, keys);
  const take = async (folder = made) =>
    (await importRun(folder, { client: forgetfulClient(records), records, store, keys }, new Date('2026-12-01T12:00:00.000Z'))).isNew;
  return { records, take };
}

test('it is found and read as in the installation that exported it', async () => {
  const { records, take } = elsewhere();
  expect(await take()).toBe(true);
  const client = forgetfulClient(records);
  const summary = await findRun(client, 'daily_quant_pipeline');
  expect(summary).toMatchObject({ run: RUN, state: 'completed', imported: true });
  const view = await readLiveRun(client, RUN);
  expect(isImported(view.firstRunId)).toBe(true);
  const there = run.status();
  expect(view).toEqual({ ...there, firstRunId: view.firstRunId, plan: { ...view.plan, sha256: there.plan?.sha256 } });
  expect(await readJournal(client, RUN, records.artifacts)).toEqual(await run.journal());
  expect(await readPlan(client, RUN)).toEqual(run.query('plan', {}));
  const { output, artifacts } = await run.result;
  expect(await readOutcome(client, RUN)).toEqual({ state: 'completed', output, artifacts });
  const key = { workflowId: RUN, run: view.firstRunId };
  const before = openRecords({ stateDir: run.stateDir });
  const [own = key] = await before.runs.runsOf(RUN);
  expect(await records.ledger.lines(key, 'converge#2~1/transcript')).toEqual(await before.ledger.lines(own, 'converge#2~1/transcript'));
  expect(await readPaid(records.runs, [key])).toEqual(await readPaid(before.runs, [own]));
  const printed = [];
  for await (const entry of records.logs.read(key, 'intel#1~1')) if (entry.kind === 'line') printed.push(entry.text);
  expect(printed).toContain('a printed line');
  for (const { artifact } of view.steps) if (artifact) expect(await records.artifacts.has(artifact)).toBe(true);
});

test('it can only be looked at: it costs nothing here, and nothing of it is what a run obeys', async () => {
  const { records, take } = elsewhere();
  await take();
  const client = forgetfulClient(records);
  const view = await readLiveRun(client, RUN);
  expect(await readCosts(records, ['run'])).toEqual([]);
  expect(nextLines({ ...view, state: 'paused', paused: {} })).toEqual([]);
  expect(await findRunToOrder(client, RUN, { ends: true })).toMatchObject({ imported: true });
  await expect(readCarry(client, RUN, { from: 'bull' })).rejects.toMatchObject({ code: 'run.unreadable' });
  if (!view.plan) throw new Error('there is no plan');
  await expect(records.control.get(view.plan)).rejects.toMatchObject({ code: 'artifact.missing' });
});

test('the same export again changes nothing, and another one of the same run is refused', async () => {
  const { records, take } = elsewhere();
  await take();
  expect(await take()).toBe(false);
  expect(await records.runs.runsOf(RUN)).toHaveLength(1);
  const other = changed((manifest) => ({ ...manifest, by: 'another' }));
  await expect(take(other)).rejects.toMatchObject({ code: 'import.run-exists' });
  const home = openRecords({ stateDir: run.stateDir });
  const store = folderTransfer(run.stateDir);
  const back = importRun(made, { client: forgetfulClient(home), records: home, store, keys: new KeyRing() }, new Date());
  await expect(back).rejects.toMatchObject({ code: 'import.run-exists' });
});

test('a run that had not ended is cancelled here, with its steps as they were, and asks nobody', async () => {
  const { records, take } = elsewhere();
  const open = rewritten('run', (text) => {
    const exported = JSON.parse(text) as { view: RunView };
    const { endedAt: _, ...view } = exported.view;
    const steps = view.steps.map((step) => (step.id === 'approve' ? { ...step, state: 'waiting', waitingFor: 'a person' } : step));
    return JSON.stringify({ view: { ...view, state: 'waiting', steps } });
  });
  const path = join(open, MANIFEST);
  writeFileSync(path, readFileSync(path, 'utf8').replace('"state":"completed"', '"state":"waiting"'));
  await take(open);
  const view = await readLiveRun(forgetfulClient(records), RUN);
  expect(view).toMatchObject({
    state: 'cancelled',
    endedAt: '2026-11-30T12:00:00.000Z',
    gates: [],
    reason: expect.stringContaining('waiting'),
  });
  const endedAt = '2026-11-30T12:00:00.000Z';
  expect(view.steps.find(({ id }) => id === 'approve')).toMatchObject({ state: 'waiting', waitingFor: 'a person', endedAt });
  const key = { workflowId: RUN, run: view.firstRunId };
  expect(await readImport(records.ledger, key)).toEqual({ exportedAt: endedAt, importedAt: '2026-12-01T12:00:00.000Z', wasOpen: true });
});

test('an import that was killed shows no run, and the next finishes it', async () => {
  const stateDir = scratchFolder();
  const records = openRecords({ stateDir });
  const store = folderTransfer(stateDir);
  const client = forgetfulClient(records);
  const target = { client, records, store, keys: new KeyRing() };
  for (let killedAfter = 0; ; killedAfter += 12) {
    let left = killedAfter;
    const dies = {
      ...store,
      add: async (part: Parameters<typeof store.add>[0]) => {
        if (left-- === 0) throw new Error('killed');
        await store.add(part);
      },
    };
    const done = await importRun(made, { ...target, store: dies }, new Date()).then(
      () => true,
      (error: Error) => {
        expect(error.message).toBe('killed');
        return false;
      },
    );
    if (done) break;
    await expect(findRun(client, RUN)).rejects.toMatchObject({ code: 'run.not-found' });
  }
  expect(await readJournal(client, RUN, records.artifacts)).toEqual(await run.journal());
  expect(await readPaid(records.runs, await records.runs.runsOf(RUN))).toHaveLength(9);
});

test('in a store that is sealed it is sealed', async () => {
  const keys = new KeyRing({ k1: Buffer.alloc(32, 7) }, 'k1');
  const { records, take } = elsewhere(keys);
  await take();
  const client = forgetfulClient(records);
  const { firstRunId } = await readLiveRun(client, RUN);
  const key = { workflowId: RUN, run: firstRunId };
  expect(await readJournal(client, RUN, records.artifacts)).toEqual(await run.journal());
  const printed = [];
  for await (const entry of records.logs.read(key, 'intel#1~1')) if (entry.kind === 'line') printed.push(entry.text);
  expect(printed).toContain('a printed line');
  expect((await records.ledger.lines(key, 'bull#1~1/transcript')).length).toBeGreaterThan(0);
});

/** A copy of the export with another manifest. */
function changed(change: (manifest: ExportManifest) => object, folder = join(scratchFolder(), 'forged')): string {
  mkdirSync(folder, { recursive: true });
  const manifest = JSON.parse(readFileSync(join(made, MANIFEST), 'utf8')) as ExportManifest;
  for (const { path } of manifest.files) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), readFileSync(join(made, path)));
  }
  writeFileSync(join(folder, MANIFEST), JSON.stringify(change(manifest)));
  return folder;
}

/** A copy in which one document says something else, with the digest of that. */
function rewritten(kind: 'run' | 'journal' | 'accounts' | 'log', change: (text: string) => string): string {
  let found: { path: string; text: string } | undefined;
  const folder = changed((manifest) => ({
    ...manifest,
    files: manifest.files.map((file) => {
      if (file.holds.kind !== kind || found) return file;
      const text = change(readFileSync(join(made, file.path), 'utf8'));
      found = { path: file.path, text };
      return { ...file, sizeBytes: Buffer.byteLength(text), sha256: createHash('sha256').update(text).digest('hex') };
    }),
  }));
  writeFileSync(join(folder, found?.path ?? ''), found?.text ?? '');
  return folder;
}

const renamed = (path: string) => () =>
  changed((manifest) => ({ ...manifest, files: manifest.files.map((file, at) => (at === 0 ? { ...file, path } : file)) }));
const first = (folder: string, act: (path: string) => void): string => {
  act(join(folder, 'artifacts', 'Strategy_Thesis.json'));
  return folder;
};
const asFolder = (path: string): void => {
  rmSync(path);
  mkdirSync(path);
};
const same = (manifest: ExportManifest) => manifest;

test.each<[string, () => string, string, RegExp]>([
  ['no export', () => scratchFolder(), 'import.no-export', /has no thermidor-export.json/],
  ['no folder', () => join(scratchFolder(), 'none'), 'import.no-export', /has no/],
  ['another manifest', () => changed(() => ({ format: 'zip' })), 'import.no-export', /no manifest/],
  ['a later version', () => changed((manifest) => ({ ...manifest, version: 2 })), 'import.version', /version 2/],
  ['a path that climbs', renamed('artifacts/../../x'), 'import.damaged', /files\[0\]/],
  ['an absolute path', renamed('/etc/passwd'), 'import.damaged', /files\[0\]/],
  ['a device', renamed('artifacts/nul'), 'import.damaged', /files\[0\]/],
  ['a file twice', () => changed((one) => ({ ...one, files: [...one.files, ...one.files] })), 'import.damaged', /there twice/],
  ['a file that was changed', () => first(changed(same), (path) => writeFileSync(path, 'x'.repeat(754))), 'import.damaged', /digest|bytes/],
  ['a file that was cut', () => first(changed(same), (path) => writeFileSync(path, '')), 'import.damaged', /0 bytes/],
  ['a file that is missing', () => first(changed(same), (path) => rmSync(path)), 'import.damaged', /Strategy_Thesis.json: is missing/],
  [
    'a link out of the folder',
    () =>
      first(changed(same), (path) => {
        renameSync(path, `${path}.elsewhere`);
        symlinkSync(`${path}.elsewhere`, path);
      }),
    'import.damaged',
    /is a link/,
  ],
  ['a folder for a file', () => first(changed(same), asFolder), 'import.damaged', /is no file/],
  ['the view of another run', () => rewritten('run', (text) => text.replaceAll(RUN, 'victim')), 'import.damaged', /run.json: view/],
  [
    'a state that is none',
    () => rewritten('run', (text) => text.replace('"state": "done"', '"state": "gone"')),
    'import.damaged',
    /view.steps\[/,
  ],
  [
    'a view that cannot be shown',
    () => rewritten('run', (text) => text.replace(/"verdict": \{/, '"verdict": 7, "was": {')),
    'import.damaged',
    /cannot be shown|steps/,
  ],
  ['a journal with a gap', () => rewritten('journal', (text) => text.split('\n').slice(1).join('\n')), 'import.damaged', /journal.jsonl:1/],
  ['a journal that was cut', () => rewritten('journal', (text) => text.slice(0, -9)), 'import.damaged', /within a line/],
  [
    'costs of another run',
    () => rewritten('accounts', (text) => text.replaceAll(RUN, 'victim')),
    'import.damaged',
    /accounts.jsonl:1: .*victim/,
  ],
  ['a log that is none', () => rewritten('log', () => 'rm -rf\n'), 'import.damaged', /\.log:1/],
])('%s is refused before anything is stored', async (_, folder, code, message) => {
  const { records, take } = elsewhere();
  const failed = take(folder());
  await expect(failed).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  expect(await records.runs.list()).toEqual([]);
});
