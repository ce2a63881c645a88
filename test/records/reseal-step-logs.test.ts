import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LogFiles } from '../../records/directory/step-logs/log-files';
import { logWriter } from '../../records/directory/step-logs/log-writer';
import { folderTransfer } from '../../records/directory/transfer/folder-transfer';
import { KeyRing } from '../../records/sealing/key-ring';
import { sealedStepLogs } from '../../records/sealing/sealed-step-logs';
import type { StepLogs } from '../../records/step-logs';
import { resealStore } from '../../records/transfer/reseal-store';
import { KEY, scratchFolder } from '../activities/workshop';

/** A long log of a state folder is sealed anew, and that is broken off. */
const [one, two] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const K1 = new KeyRing({ k1: one }, 'k1');
/** A longer id: each line grows. */
const ROTATED = new KeyRing({ k1: one, 'the-second-key': two }, 'the-second-key');
const K2 = new KeyRing({ 'the-second-key': two }, 'the-second-key');

async function said(logs: StepLogs, ring: KeyRing): Promise<string[]> {
  const found: string[] = [];
  for await (const entry of sealedStepLogs(logs, ring).read(KEY, 's')) found.push(entry.kind === 'gap' ? 'a gap' : entry.text);
  return found;
}

test('each line is there once, wherever it was broken off', async () => {
  const stateDir = scratchFolder();
  const logs = new LogFiles(stateDir);
  const folder = join(stateDir, 'logs', 'runs', KEY.workflowId, KEY.run);
  const path = join(folder, 's.log');
  const makeFolder = async (): Promise<void> => void mkdirSync(folder, { recursive: true });
  const limits = { headBytes: 1000, tailBytes: 1000 };
  const open: StepLogs['open'] = (_, name, options) => logWriter({ ...options, name, path, makeFolder, limits });
  const small = sealedStepLogs({ ...logs, open } as StepLogs, K1);
  for (let n = 0; n < 20; n += 1) {
    const writer = small.open(KEY, 's', { attempt: 1, trouble: (why) => fail(why) });
    writer.add([{ at: '2026-01-01T00:00:00.000Z', from: 'stdout', text: `line ${n}` }]);
    await writer.close();
  }
  const files = readdirSync(folder).map((name) => join(folder, name));
  const before = await said(logs, K1);
  expect([files.length, before.includes('a gap'), before.at(-1)]).toEqual([3, true, 'line 19']);

  const asBefore = files.map((file) => readFileSync(file));
  await resealStore(folderTransfer(stateDir, ROTATED), ROTATED);
  expect(await said(logs, K2)).toEqual(before);
  const anew = files.map((file) => readFileSync(file));
  for (let done = 0; done < files.length; done += 1) {
    for (const [at, file] of files.entries()) writeFileSync(file, (at < done ? anew : asBefore)[at] ?? '');
    await resealStore(folderTransfer(stateDir, ROTATED), ROTATED);
    expect((await said(logs, K2)).filter((line) => line !== 'a gap')).toEqual(before.filter((line) => line !== 'a gap'));
  }
});

test('a line that only looks sealed, or was sealed with a key that is gone, is left and counted, and the others are sealed', async () => {
  const stateDir = scratchFolder();
  const printed = [`thermidor-sealed:zz.00000000:AAAA`, `thermidor-sealed:${K1.use}:AAAA`];
  const logs = new LogFiles(stateDir);
  for (const [ring, texts] of [
    [new KeyRing(), printed],
    [K1, ['a word']],
  ] as const) {
    const writer = sealedStepLogs(logs, ring).open(KEY, 's', { attempt: 1, trouble: (why) => fail(why) });
    writer.add(texts.map((text) => ({ at: '2026-01-01T00:00:00.000Z', from: 'stdout', text })));
    await writer.close();
  }
  expect(await resealStore(folderTransfer(stateDir, ROTATED), ROTATED)).toMatchObject({ 'step-log': 1, unopened: 2 });
  expect((await said(logs, K2)).at(-1)).toBe('a word');
  expect(await said(logs, new KeyRing())).toContain(
    '(a line of a step\'s log is sealed with the key "zz", which encryption.keys does not have)',
  );
});
