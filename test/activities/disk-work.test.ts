import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { agent } from '../../activities/agent/agent';
import { command } from '../../activities/commands/command';
import { journal } from '../../activities/run/journal';
import { SCRIPTED } from '../../activities/toolbox';
import type { Usage } from '../../plan/budgets/usage';
import type { Step } from '../../plan/steps/step';
import { RecentFiles } from '../../records/directory/recent-files';
import type { ClaimedLog } from '../../records/ledger';
import type { Turn } from '../../records/transcripts/turn';
import { countDisk, type DiskCount } from '../support/disk-count';
import { chain, shop, step } from './command-chain';
import { fakeAgent, KEY, type Workshop, withAgent, workshop } from './workshop';

/**
 * What durability needs of the disk, and no more. A file that is to survive a crash of the machine takes two syncs, its content and its
 * folder's entry; one that grows takes the second once. Each case runs twice, because the first run makes folders too.
 */
const usage: Usage = { inputTokens: 100, outputTokens: 10, cacheReadTokens: 0, cacheWriteTokens: 0, costMicroUsd: 5 };
const reply = (text: string): Turn => ({ role: 'assistant', text, usage, model: 'm' });

async function warm(at: Workshop, first: () => Promise<unknown>, then: () => Promise<unknown>): Promise<DiskCount> {
  // One folder for each prefix of a digest, made once in the life of a store.
  for (let i = 0; i < 256; i++) mkdirSync(join(at.root, 'artifacts', i.toString(16).padStart(2, '0')), { recursive: true });
  await first();
  return await countDisk(then);
}

test('a command on its own takes its output and its record', async () => {
  const at = shop();
  await at.open(['a', 'b'].map((id) => step(id, { shell: [`echo out-${id}`] })));
  const run = (id: string) => command(at.toolbox, at.call(`${id}#1~1`), { run: KEY.run });
  const { syncs } = await warm(
    at,
    () => run('a'),
    () => run('b'),
  );
  expect(syncs).toBe(2 + 2);
});

async function chained(commandOf: (id: string) => string): Promise<DiskCount> {
  const at = shop();
  const ids = Array.from({ length: 11 }, (_, i) => `c${i}`);
  await at.open(ids.map((id) => step(id, { shell: [commandOf(id)] })));
  return await warm(
    at,
    () => chain(at, ['c0']),
    () => chain(at, ids.slice(1)),
  );
}

test('ten commands of a chain take their outputs, and one sync of the log that has their records', async () => {
  expect((await chained((id) => `echo out-${id}`)).syncs).toBe(10 * 2 + 1);
});

test('an output that is durable already is not made durable again', async () => {
  expect((await chained(() => 'true')).syncs).toBe(1);
});

async function agents(replies: number, adapter?: string): Promise<DiskCount> {
  const bull = fakeAgent(({ stepId }) => [
    ...Array.from({ length: replies - 1 }, (_, i): Turn => ({ ...reply(`on the way ${i}`), stop: 'aside' })),
    reply(`done ${stepId}`),
  ]);
  const named = adapter === undefined ? bull : { ...bull, name: adapter };
  const at = workshop({ ...withAgent(named), defaultAdapter: named.name });
  await at.open(['a', 'b'].map((id): Step => ({ id, kind: 'agent', agent: 'bull' })));
  const run = (id: string) => agent(at.toolbox, at.call(`${id}#1~1`), { run: KEY.run });
  return await warm(
    at,
    () => run('a'),
    () => run('b'),
  );
}

test.each([1, 20])('an agent takes its prompt, each of %i replies, its account, its output and its record', async (replies) => {
  const [prompt, account, output, record] = [2, 2, 2, 2];
  expect((await agents(replies)).syncs).toBe(prompt + replies + account + output + record);
});

test('the account of an agent that plays a script costs nothing, and takes nothing', async () => {
  const [prompt, replies, output, record] = [2, 1, 2, 2];
  expect((await agents(replies, SCRIPTED)).syncs).toBe(prompt + replies + output + record);
});

test('what is read for a reply does not grow with the replies before it', async () => {
  const [few, many] = [await agents(20), await agents(120)];
  const perReply = (many.bytesRead - few.bytesRead) / 100;
  expect(perReply).toBeLessThan(1.2 * (few.bytesRead / 20));
  expect(many.bytesRead).toBeLessThan(1.2 * many.bytesWritten);
});

test('a page of the journal takes itself', async () => {
  const at = workshop();
  const page = (seq: number) =>
    journal(at.toolbox, { key: KEY }, { run: KEY.run, entries: [{ seq, at: '', kind: 'run', state: 'running' }] });
  const { syncs } = await warm(
    at,
    () => page(1),
    () => page(2),
  );
  expect(syncs).toBe(2);
});

test('the first line after a claim makes the log’s entry in its folder durable, and later ones their own bytes alone', async () => {
  const { ledger } = workshop();
  await ledger.claim(KEY, 'log');
  const log = await ledger.claim(KEY, 'log');
  const counts: number[] = [];
  for (const n of [1, 2]) counts.push((await countDisk(() => log.append({ n }, { n }))).syncs);
  expect(counts).toEqual([2, 1]);
  expect((await countDisk(() => log.sync())).syncs).toBe(0);
  expect(await ledger.lines(KEY, 'log')).toHaveLength(4);
});

test('another file in the place of one that was made durable is made durable too', () => {
  const files = new RecentFiles(2);
  files.add('a', { dev: 1, ino: 1 });
  expect([files.has('a', { dev: 1, ino: 1 }), files.has('a', { dev: 1, ino: 2 }), files.has('a', { dev: 2, ino: 1 })]).toEqual([
    true,
    false,
    false,
  ]);
  for (const path of ['b', 'c']) files.add(path, { dev: 1, ino: 1 });
  expect(['a', 'b', 'c'].map((path) => files.has(path, { dev: 1, ino: 1 }))).toEqual([false, true, true]);
});

test('a claimed log of 1,000 lines is read once, whatever is added to it', async () => {
  const { ledger } = workshop();
  const line = { kind: 'paid', text: 'x'.repeat(200) };
  const earlier = await ledger.claim(KEY, 'log');
  for (let i = 0; i < 1_000; i++) await earlier.note(line);
  const bytes = 1_000 * 240;
  const later: ClaimedLog[] = [];
  const opened = await countDisk(async () => void later.push(await ledger.claim(KEY, 'log')));
  expect(later[0]?.before).toHaveLength(1_000);
  expect(opened.bytesRead).toBeLessThan(1.2 * bytes);
  const added = await countDisk(async () => {
    for (let i = 0; i < 1_000; i++) await later[0]?.note(line);
    await later[0]?.sync();
  });
  expect(added.syncs).toBe(2);
  // Besides what was added, one byte per line is read: whether the line before it is whole.
  expect(added.bytesRead).toBeLessThan(1.2 * bytes);
  expect(await ledger.lines(KEY, 'log')).toHaveLength(2_000);
});
