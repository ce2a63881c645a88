import { type ControlKind, type ControlRef, isArtifactRef } from '../../plan/run/artifact';
import { ThermidorFailure } from '../../plan/run/failure';
import type { Json } from '../../plan/text/json';
import { jsonText, parseJson } from '../../plan/text/json-text';
import type { ArtifactStore } from '../../records/artifact-store';
import type { ControlStore } from '../../records/control-store';
import type { Ledger } from '../../records/ledger';
import { MemoryArtifacts, MemoryControl, MemoryLedger } from '../../records/memory/memory-store';
import { openRecords } from '../../records/open-records';
import { codeOf, KEY, scratchFolder } from '../activities/workshop';

/** What every store keeps, whatever it is made of. A new one gets a line here. */
interface Stores {
  artifacts: ArtifactStore;
  control: ControlStore;
  ledger: Ledger;
}
const STORES: readonly [string, () => Stores][] = [
  ['a directory', () => openRecords({ stateDir: scratchFolder() })],
  ['memory', () => ({ artifacts: new MemoryArtifacts(), control: new MemoryControl(), ledger: new MemoryLedger() })],
];
const TEXT = { mediaType: 'text/plain', name: 'One.md' };

describe.each(STORES)('a store that is %s', (_, open) => {
  test('gives back an output by its digest alone, and says which it has', async () => {
    const { artifacts } = open();
    const ref = await artifacts.put('one', TEXT);
    expect(isArtifactRef(ref)).toBe(true);
    expect(await artifacts.put(Buffer.from('one'), TEXT)).toEqual(ref);
    expect((await artifacts.get({ sha256: ref.sha256 })).toString()).toBe('one');
    const other = { sha256: 'a'.repeat(64) };
    expect([await artifacts.has(ref), await artifacts.has(other), await codeOf(artifacts.get(other))]).toEqual([
      true,
      false,
      'artifact.missing',
    ]);
  });

  test('has what a batch has put at once', async () => {
    const { artifacts } = open();
    const batch = artifacts.batch();
    const ref = await batch.put('one', TEXT);
    expect((await artifacts.get(ref)).toString()).toBe('one');
    await batch.sync();
    expect(await artifacts.has(ref)).toBe(true);
  });

  test('keeps kinds of control content apart from each other and from outputs', async () => {
    const { artifacts, control } = open();
    const plan = await control.put('plan', '{}', 'p.json');
    const asScript: ControlRef<ControlKind> = { ...plan, kind: 'script' };
    expect((await control.get(plan)).toString()).toBe('{}');
    expect([await codeOf(control.get(asScript)), await artifacts.has({ sha256: plan.sha256 })]).toEqual(['artifact.missing', false]);
  });

  test('keeps the first record of a name, of several that come at once too', async () => {
    const { ledger } = open();
    const put = await Promise.all([1, 2, 3].map((n) => ledger.putIfAbsent(KEY, 'a', n)));
    expect(new Set(put).size).toBe(1);
    expect([await ledger.get(KEY, 'a'), await ledger.get(KEY, 'b')]).toEqual([put[0], undefined]);
    expect(await ledger.get({ ...KEY, run: 'other' }, 'a')).toBeUndefined();
  });

  test('has the lines of a log in the order in which they were added, noted ones among them', async () => {
    const { ledger } = open();
    await ledger.append(KEY, 'log', 0, 1);
    await ledger.note(KEY, 'log', 2);
    const mine = await ledger.claim(KEY, 'log');
    await mine.append({ n: 3 }, { n: 4 });
    await mine.note({ n: 5 });
    const all: Json[] = [0, 1, 2, { n: 3 }, { n: 4 }, { n: 5 }];
    expect([mine.before, await ledger.lines(KEY, 'log')]).toEqual([[0, 1, 2], all]);
    const next = await ledger.claim(KEY, 'log');
    await mine.sync();
    expect([next.before, await ledger.lines(KEY, 'other')]).toEqual([all, []]);
    for (const late of [mine.append({ n: 6 }), mine.note({ n: 6 }), mine.requireOwn()]) expect(await codeOf(late)).toBe('worker.lost');
    expect(await ledger.lines(KEY, 'log')).toEqual(all);
  });

  test('follows a log: each look has what was added meanwhile, by whomever, and nothing of a superseded writer', async () => {
    const { ledger } = open();
    const log = ledger.follow(KEY, 'log');
    const first = [...(await log.lines())];
    await ledger.append(KEY, 'log', 1);
    const old = await ledger.claim(KEY, 'log');
    await old.append({ n: 2 });
    const [one, same] = await Promise.all([log.lines(), log.lines()]);
    expect([first, [...one], same === one]).toEqual([[], [1, { n: 2 }], true]);
    await (await ledger.claim(KEY, 'log')).append({ n: 3 });
    await expect(old.append({ n: 4 })).rejects.toThrow();
    expect(await log.lines()).toEqual([1, { n: 2 }, { n: 3 }]);
    expect(await log.lines()).toEqual(await ledger.lines(KEY, 'log'));
  });

  test('keeps numbers in its logs as they were written', async () => {
    const { ledger } = open();
    const text = '{"value":{"price":1.10,"list":[1e3,1234567890123456789]},"n":2.50}';
    await ledger.append(KEY, 'log', parseJson(text));
    await (await ledger.claim(KEY, 'claimed')).append({ says: parseJson(text) });
    expect(jsonText(await ledger.lines(KEY, 'log'))).toBe(`[${text}]`);
    expect(jsonText(await ledger.lines(KEY, 'claimed'))).toBe(`[{"says":${text}}]`);
  });

  test('refuses a claim of an attempt that was scheduled before the one that has the log', async () => {
    const { ledger } = open();
    await ledger.claim(KEY, 'log', 2);
    await expect(ledger.claim(KEY, 'log', 1)).rejects.toThrow(ThermidorFailure);
  });

  test('has a record of an effect for all once it is put, and says whether an effect was begun before', async () => {
    const { ledger } = open();
    const one = await ledger.recordLog(KEY, 'effects');
    await one.claim(['a']);
    expect([await one.begin('a'), await one.putIfAbsent('a', 1), await one.putIfAbsent('a', 2)]).toEqual([false, 1, 1]);
    await one.close();
    const two = await ledger.recordLog(KEY, 'effects');
    await two.claim(['a', 'b']);
    expect([two.get('a'), await two.begin('a'), await two.begin('b')]).toEqual([1, true, false]);
    expect([two.begins('a'), two.begins('b'), two.begins('c')]).toEqual([
      [expect.any(Number), expect.any(Number)],
      [expect.any(Number)],
      [],
    ]);
    await two.close();
  });
});

describe('the list of runs', () => {
  test('has runs by the beginning of their ids, and all that one id had', async () => {
    const { ledger, runs } = openRecords({ stateDir: scratchFolder() });
    const keys = ['p-1', 'p-1.child', 'Q/2'].map((workflowId) => ({ workflowId, run: 'first' }));
    for (const key of [...keys, { workflowId: 'p-1', run: 'second' }]) await ledger.putIfAbsent(key, 'run', {});
    const idsOf = async (beginning?: string) => (await runs.list(beginning)).map(({ workflowId, run }) => `${workflowId} ${run}`).sort();
    expect(await idsOf()).toEqual(['Q/2 first', 'p-1 first', 'p-1 second', 'p-1.child first']);
    expect(await idsOf('p-1.')).toEqual(['p-1.child first']);
    expect((await runs.runsOf('p-1')).map(({ run }) => run).sort()).toEqual(['first', 'second']);
    expect([await runs.runsOf('nobody'), await openRecords({ stateDir: scratchFolder() }).runs.list()]).toEqual([[], []]);
  });

  test('gives the lines that count of logs by the end of their names, shortened names among them', async () => {
    const { ledger, runs } = openRecords({ stateDir: scratchFolder() });
    const long = `${'deep/'.repeat(60)}a/account`;
    for (const log of ['a/account', long, 'a/transcript']) await ledger.append(KEY, log, log);
    const old = await ledger.claim(KEY, 'a/account');
    await ledger.claim(KEY, 'a/account');
    await expect(old.append({ late: true })).rejects.toThrow();
    const found: Json[] = [];
    for await (const lines of runs.logs(KEY, ['/account'])) found.push(...lines);
    expect(found.sort()).toEqual(['a/account', long].sort());
    for await (const lines of runs.logs(KEY, ['/account'], Date.now() + 60_000)) expect(lines).toBeUndefined();
  });
});
