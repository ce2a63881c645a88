import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { failureOf, KEY, workshop } from './workshop';

describe('a record log', () => {
  test('keeps the first record of a name when another writer puts a second', async () => {
    const at = workshop();
    const [one, two] = [await at.ledger.recordLog(KEY, 'commands'), await at.ledger.recordLog(KEY, 'commands')];
    expect(await one.putIfAbsent('a', { n: 1 })).toEqual({ n: 1 });
    expect(await two.putIfAbsent('a', { n: 2 })).toEqual({ n: 1 });
    expect(await two.putIfAbsent('b', { n: 2 })).toEqual({ n: 2 });
    expect(await one.putIfAbsent('b', { n: 1 })).toEqual({ n: 2 });
    await Promise.all([one.close(), two.close()]);
    const later = await at.ledger.recordLog(KEY, 'commands');
    expect([later.get('a'), later.get('b'), later.get('c')]).toEqual([{ n: 1 }, { n: 2 }, undefined]);
    await later.close();
  });

  test('never takes a torn line for a record, neither before nor after the next one', async () => {
    const at = workshop();
    const first = await at.ledger.recordLog(KEY, 'commands');
    await first.putIfAbsent('a', 1);
    await first.close();
    const file = join(at.root, 'ledger', 'demo-20261121-abc123', 'first-run', 'commands.jsonl');
    writeFileSync(file, `${readFileSync(file, 'utf8')}{"name":"b","val`);
    const second = await at.ledger.recordLog(KEY, 'commands');
    expect([second.get('a'), second.get('b'), await second.putIfAbsent('b', 2), await second.putIfAbsent('c', 3)]).toEqual([
      1,
      undefined,
      2,
      3,
    ]);
    await second.close();
    const third = await at.ledger.recordLog(KEY, 'commands');
    expect([third.get('a'), third.get('b'), third.get('c')]).toEqual([1, 2, 3]);
    await third.close();
  });

  test('names the path if the log cannot be written', async () => {
    const at = workshop();
    writeFileSync(join(at.root, 'ledger'), 'a file stands here');
    expect((await failureOf(at.ledger.recordLog(KEY, 'commands'))).code).toBe('store.unavailable');
  });
});
