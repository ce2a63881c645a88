import { appendFileSync, chmodSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ArtifactFiles } from '../../records/directory/artifact-files';
import { sweepScratch } from '../../records/directory/durable-file';
import { fileName } from '../../records/directory/file-name';
import { LedgerFiles } from '../../records/directory/ledger-files';
import { NamedFiles } from '../../records/directory/named-files';
import { codeOf, failureOf, KEY, scratchFolder } from './workshop';

const JSON_TYPE = { mediaType: 'application/json' };

describe('the artifact store on files', () => {
  test('gives back what was put, by digest', async () => {
    const store = new ArtifactFiles(scratchFolder());
    const ref = await store.put('{"a":1}', { ...JSON_TYPE, name: 'A.json' });
    expect(ref).toMatchObject({ sizeBytes: 7, mediaType: 'application/json', name: 'A.json' });
    expect((await store.get(ref)).toString()).toBe('{"a":1}');
  });

  test('keeps content read-only and leaves nothing else behind', async () => {
    const root = scratchFolder();
    const store = new ArtifactFiles(root);
    const ref = await store.put('x', JSON_TYPE);
    expect(statSync(store.pathOf(ref.sha256)).mode & 0o777).toBe(0o400);
    expect(readdirSync(join(root, 'artifacts', 'scratch'))).toEqual([]);
  });

  test('takes the same content twice, also from two at once', async () => {
    const root = scratchFolder();
    const refs = await Promise.all([1, 2, 3].map(() => new ArtifactFiles(root).put('same', JSON_TYPE)));
    expect(new Set(refs.map((ref) => ref.sha256)).size).toBe(1);
  });

  test('refuses content that is not what its name says, and mends it when it is put again', async () => {
    const store = new ArtifactFiles(scratchFolder());
    const ref = await store.put('whole', JSON_TYPE);
    chmodSync(store.pathOf(ref.sha256), 0o644);
    writeFileSync(store.pathOf(ref.sha256), 'whale');
    expect(await codeOf(store.get(ref))).toBe('artifact.missing');
    await store.put('whole', JSON_TYPE);
    expect((await store.get(ref)).toString()).toBe('whole');
  });

  test('says that an artifact is missing', async () => {
    const store = new ArtifactFiles(scratchFolder());
    expect(await codeOf(store.get({ sha256: 'a'.repeat(64) }))).toBe('artifact.missing');
    expect(await codeOf(store.get({ sha256: '../../etc/passwd' }))).toBe('artifact.missing');
  });

  test('refuses content over its limit', async () => {
    const failure = await failureOf(new ArtifactFiles(scratchFolder(), 10).put('x'.repeat(11), JSON_TYPE));
    expect(failure).toMatchObject({ code: 'output.too-large', details: { sizeBytes: 11, limitBytes: 10 } });
  });

  test('names the path if the store cannot be written', async () => {
    const root = scratchFolder();
    writeFileSync(join(root, 'artifacts'), 'a file stands here');
    const failure = await failureOf(new ArtifactFiles(root).put('x', JSON_TYPE));
    expect(failure).toMatchObject({ code: 'store.unavailable', details: { path: join(root, 'artifacts'), reason: 'ENOTDIR' } });
  });

  test('lays an output out by name, a later round next to the first', async () => {
    const root = scratchFolder();
    const store = new ArtifactFiles(root);
    for (const [round, text] of [
      [1, 'one'],
      [1, 'one, again'],
      [2, 'two'],
    ] as const) {
      const ref = await store.put(text, { ...JSON_TYPE, name: 'Thesis.json' });
      await new NamedFiles(root, store).layOut(ref, 'demo', { path: [{ id: 'converge' }], round, try: 1 });
    }
    expect(readFileSync(join(root, 'runs/demo/converge/Thesis.json'), 'utf8')).toBe('one, again');
    expect(readFileSync(join(root, 'runs/demo/converge.2/Thesis.json'), 'utf8')).toBe('two');
    expect(readdirSync(join(root, 'runs/demo/converge'))).toEqual(['Thesis.json']);
  });

  test('never lays an output out next to its own folder', () => {
    const path = new NamedFiles('/root', new ArtifactFiles('/root')).pathOf(
      '../evil',
      { path: [{ id: 'a' }], round: 1, try: 1 },
      '../../x',
    );
    expect(path.startsWith('/root/runs/')).toBe(true);
    expect(path).not.toContain('..' + '/');
  });
});

describe('file names', () => {
  const names = ['a', 'A', 'build/tests[3]/ask#2~1', 'build%2Ftests', '.', '..', '', 'ä', 'x'.repeat(500), `${'x'.repeat(500)}y`, 'a b'];

  test('are different for different texts, even if capitals do not count', () => {
    expect(new Set(names.map((name) => fileName(name).toLowerCase())).size).toBe(names.length);
  });

  test('are never paths, hidden or too long', () => {
    for (const name of names.map(fileName)) expect(name).toMatch(/^[^./][^/]{0,199}$/);
  });
});

describe('the ledger on files', () => {
  test('keeps the first record when another writer puts a second', async () => {
    const root = scratchFolder();
    expect(await new LedgerFiles(root).get(KEY, 'converge#1~1')).toBeUndefined();
    expect(await new LedgerFiles(root).putIfAbsent(KEY, 'converge#1~1', { n: 1 })).toEqual({ n: 1 });
    expect(await new LedgerFiles(root).putIfAbsent(KEY, 'converge#1~1', { n: 2 })).toEqual({ n: 1 });
    expect(await new LedgerFiles(root).get(KEY, 'converge#1~1')).toEqual({ n: 1 });
  });

  test('gives all that put at once the same record', async () => {
    const root = scratchFolder();
    const kept = await Promise.all([...Array(20).keys()].map((n) => new LedgerFiles(root).putIfAbsent(KEY, 'once', { n })));
    expect(new Set(kept.map((record) => JSON.stringify(record))).size).toBe(1);
  });

  test('keeps runs apart that share a workflow id', async () => {
    const ledger = new LedgerFiles(scratchFolder());
    await ledger.putIfAbsent(KEY, 'a', 1);
    expect(await ledger.get({ ...KEY, run: 'second' }, 'a')).toBeUndefined();
  });

  test('keeps lines in order, and whole when several append at once', async () => {
    const root = scratchFolder();
    await Promise.all([...Array(20).keys()].map((n) => new LedgerFiles(root).append(KEY, 'log', { n, pad: 'x'.repeat(5000) })));
    const lines = await new LedgerFiles(root).lines(KEY, 'log');
    expect(lines.map((line) => (line as { n: number }).n).sort((a, b) => a - b)).toEqual([...Array(20).keys()]);
  });

  test.each(['{"n":2,"te', '{"n":2}', '2', '"tw', '~'])('drops a torn last line, before and after the next append: %s', async (torn) => {
    const root = scratchFolder();
    const ledger = new LedgerFiles(root);
    await ledger.append(KEY, 'log', { n: 1 });
    appendFileSync(logFile(root), torn);
    expect(await ledger.lines(KEY, 'log')).toEqual([{ n: 1 }]);
    await ledger.append(KEY, 'log', { n: 3 });
    expect(await ledger.lines(KEY, 'log')).toEqual([{ n: 1 }, { n: 3 }]);
  });

  test('is not disturbed by what a crash left, and clears it when it is old', async () => {
    const root = scratchFolder();
    const scratch = join(root, 'ledger', 'scratch');
    mkdirSync(scratch, { recursive: true });
    writeFileSync(join(scratch, 'old'), '{"half":');
    writeFileSync(join(scratch, 'young'), '{"half":');
    utimesSync(join(scratch, 'old'), 1, 1);
    expect(await new LedgerFiles(root).putIfAbsent(KEY, 'a', 1)).toBe(1);
    await sweepScratch(scratch, 60_000, Date.now());
    expect(readdirSync(scratch)).toEqual(['young']);
  });

  test('names the path if it cannot be written', async () => {
    const root = scratchFolder();
    writeFileSync(join(root, 'ledger'), 'a file stands here');
    const ledger = new LedgerFiles(root);
    const expected = { code: 'store.unavailable', details: { path: join(root, 'ledger') } };
    expect(await failureOf(ledger.append(KEY, 'a', 1))).toMatchObject(expected);
    expect(await failureOf(ledger.putIfAbsent(KEY, 'a', 1))).toMatchObject(expected);
  });

  function logFile(root: string): string {
    return join(root, 'ledger', KEY.workflowId, KEY.run, 'log.jsonl');
  }
});
