import { command } from '../../activities/commands/command';
import { notify } from '../../activities/gates/notify';
import { lookUpRecorded } from '../../activities/run/ledger-lookup';
import type { LookedUpCall } from '../../plan/run/ledger-lookup';
import { asJson } from '../../records/stored-json';
import { chain, step } from './command-chain';
import { KEY, type Workshop, workshop } from './workshop';

const of = (kind: LookedUpCall['kind'], ...calls: string[]): LookedUpCall[] => calls.map((call) => ({ call, kind }));
const found = async (shop: Workshop, calls: LookedUpCall[]) => (await lookUpRecorded(shop.toolbox, KEY, { calls })).done;

describe('what the ledger has of work that was cancelled', () => {
  test('is what commands left, alone or in a chain', async () => {
    const shop = workshop({ processes: { run: async () => ({ stdout: 'out', stderr: '' }) } });
    await shop.open([step('a', { shell: ['a'] }), step('b', { shell: ['b'] }), step('c', { shell: ['c'] })]);
    await chain(shop, ['a', 'b']);
    const alone = await command(shop.toolbox, shop.call('c#1~1'), { run: KEY.run });
    const done = await found(shop, of('command', 'a#1~1', 'b#1~1', 'c#1~1', 'c#1~2', 'd#1~1'));
    expect(Object.keys(done)).toEqual(['a#1~1', 'b#1~1', 'c#1~1']);
    expect(done['c#1~1']).toEqual(alone);
    expect(done['a#1~1']?.artifact).toMatchObject({ sizeBytes: 3 });
  });

  test('is no command that was begun and has no result', async () => {
    const shop = workshop();
    const records = await shop.ledger.recordLog(KEY, 'commands');
    await records.claim(['a#1~1']);
    await records.begin('a#1~1');
    await records.close();
    expect(await found(shop, of('command', 'a#1~1'))).toEqual({});
  });

  test('is when commands and agents were begun again, whose workers were lost', async () => {
    const shop = workshop();
    for (const [log, names] of [
      ['commands', ['a#1~1']],
      ['work', ['b#1~1', 'b#1~1/again']],
      ['commands', ['c#1~1']],
    ] as const) {
      for (const attempt of log === 'commands' && names[0] === 'c#1~1' ? [1] : [1, 2]) {
        const records = await shop.ledger.recordLog(KEY, log);
        await records.claim(names);
        for (const name of names) if (attempt === 2 || !name.endsWith('again')) await records.begin(name);
        await records.close();
      }
    }
    const { begun } = await lookUpRecorded(shop.toolbox, KEY, {
      calls: [...of('command', 'a#1~1', 'c#1~1'), ...of('agent', 'b#1~1', 'd#1~1')],
    });
    expect(Object.entries(begun ?? {}).map(([call, times]) => [call, times.length])).toEqual([
      ['a#1~1', 2],
      ['b#1~1', 2],
    ]);
  });

  test('is no pipe that has halted to ask', async () => {
    const shop = workshop();
    await shop.ledger.putIfAbsent(KEY, 'p#1~1', asJson({ kind: 'asks', stage: 1 }));
    await shop.ledger.putIfAbsent(KEY, 'p#1~1/stage-2/from/1', asJson({ kind: 'done', output: { values: { $: 1 } } }));
    expect(await found(shop, of('stages', 'p#1~1', 'p#1~1/stage-2/from/1'))).toEqual({ 'p#1~1/stage-2/from/1': { values: { $: 1 } } });
  });

  test('is a message that every channel took, and none that one has yet to take', async () => {
    let down = true;
    const serves = () => true;
    const shop = workshop({
      channelAdapters: [
        { name: 'one', serves, deliver: async () => undefined },
        { name: 'two', serves, deliver: async () => (down ? Promise.reject(new Error('killed')) : undefined) },
      ],
    });
    await shop.open([{ id: 'tell', kind: 'notify', channel: '#x', message: ['hello'] }]);
    const send = () => notify(shop.toolbox, shop.call('tell#1~1'), { run: KEY.run, channel: '#x' });
    await expect(send()).rejects.toThrow('killed');
    expect(await found(shop, of('notify', 'tell#1~1'))).toEqual({});
    down = false;
    await send();
    expect(await found(shop, of('notify', 'tell#1~1'))).toEqual({ 'tell#1~1': {} });
  });

  test('comes in answers that a run can take: what does not fit is asked for again, and one alone always fits', async () => {
    const shop = workshop();
    const ids = ['a#1~1', 'b#1~1', 'c#1~1'];
    for (const id of ids) await shop.ledger.putIfAbsent(KEY, id, { values: { $: 'x'.repeat(100) } });
    const sizes: number[] = [];
    for (let left = of('agent', ...ids); left.length > 0; ) {
      const { done, looked } = await lookUpRecorded(shop.toolbox, KEY, { calls: left }, 150);
      expect(Object.keys(done)).toEqual(left.slice(0, looked).map(({ call }) => call));
      sizes.push(looked);
      left = left.slice(looked);
    }
    expect(sizes).toEqual([1, 1, 1]);
  });
});
