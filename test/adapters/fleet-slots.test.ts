import { readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FleetSlotFiles } from '../../records/directory/fleet-slot-files';
import type { SlotCall } from '../../records/fleet-slots';
import { scratchFolder } from '../support/scratch-folder';

let root: string;
let now: number;
const clock = () => now;
const call = (n: number): SlotCall => ({ workflowId: `demo-${n}`, run: 'first', step: 'work#1~1' });

beforeEach(() => {
  root = scratchFolder();
  now = Date.now();
});

/** Two workers on one folder. */
const fleet = () => [new FleetSlotFiles(root, clock), new FleetSlotFiles(root, clock)] as const;

async function taken(slots: FleetSlotFiles, n: number, limit = 2): Promise<boolean> {
  now += 1;
  return (await slots.take('demo', call(n), limit)).taken;
}

describe('slots of the fleet', () => {
  it('are so many over all workers, and the next one waits', async () => {
    const [one, two] = fleet();
    expect([await taken(one, 1), await taken(two, 2), await taken(one, 3), await taken(two, 4)]).toEqual([true, true, false, false]);
  });

  it('are for each pipeline its own', async () => {
    const [one, two] = fleet();
    expect(await taken(one, 1, 1)).toBe(true);
    expect(await two.take('other', call(2), 1)).toMatchObject({ taken: true });
  });

  it('are a call’s, whichever attempt makes it', async () => {
    const [one, two] = fleet();
    expect([await taken(one, 1, 1), await taken(two, 1, 1)]).toEqual([true, true]);
  });

  it('go to the one that came first, and nobody passes: a waiter is woken for one that is given back', async () => {
    const [one, two] = fleet();
    for (const n of [1, 2, 3, 4]) await taken(one, n);
    expect(await two.give('demo', call(1), 2)).toEqual([call(3)]);
    expect(await taken(two, 5)).toBe(false);
    expect(await taken(one, 4)).toBe(false);
    expect(await taken(two, 3)).toBe(true);
    expect(await one.give('demo', call(2), 2)).toEqual([call(4)]);
  });

  it('of forty calls at once from two workers never more than the limit hold one, and all of them come to their turn', async () => {
    const workers = fleet();
    let holding = 0;
    let most = 0;
    let full: () => void = () => undefined;
    const three = new Promise<void>((resolve) => {
      full = resolve;
    });
    const waiting = new Map<string, () => void>();
    const wake = (calls: readonly SlotCall[]) => {
      for (const { workflowId } of calls) waiting.get(workflowId)?.();
    };
    const work = async (n: number): Promise<void> => {
      const slots = workers[n % 2]!;
      for (;;) {
        const woken = new Promise<void>((resolve) => waiting.set(`demo-${n}`, resolve));
        const { taken: mine, wake: others } = await slots.take('demo', call(n), 3);
        wake(others);
        if (mine) break;
        await woken;
      }
      holding += 1;
      most = Math.max(most, holding);
      if (holding === 3) full();
      await three;
      holding -= 1;
      wake(await slots.give('demo', call(n), 3));
    };
    await Promise.all(Array.from({ length: 40 }, (_, n) => work(n)));
    expect(most).toBe(3);
  });

  it('of a holder that gives no sign of life come free, and who keeps theirs keep it', async () => {
    const [one, two] = fleet();
    for (const n of [1, 2]) await taken(one, n);
    now += 20_000;
    await one.keep('demo', call(2));
    now += 20_000;
    expect([await taken(two, 3), await taken(two, 4)]).toEqual([true, false]);
  });

  it('are not held up by one that was woken and does not come', async () => {
    const [one, two] = fleet();
    for (const n of [1, 2, 3]) await taken(one, n, 1);
    expect(await one.give('demo', call(1), 1)).toEqual([call(2)]);
    expect(await taken(two, 3, 1)).toBe(false);
    now += 61_000;
    expect(await taken(two, 3, 1)).toBe(true);
  });

  it('of the dead are swept for pipelines that nobody asks for any more', async () => {
    const [one, two] = fleet();
    for (const n of [1, 2, 3]) await taken(one, n, 1);
    expect(await one.give('demo', call(1), 1)).toEqual([call(2)]);
    expect(await taken(two, 2, 1)).toBe(true);
    const names = () => ['held', 'line'].map((which) => readdirSync(join(root, 'in-flight', 'demo', which)).length);
    now += 29_000;
    await two.sweep();
    expect(names()).toEqual([1, 1]);
    now += 2_000;
    await two.sweep();
    expect(names()).toEqual([0, 1]);
    // One that waits asks again after a quarter of an hour.
    now += 3_500_000;
    expect([await taken(one, 4, 1), await taken(one, 3, 0)]).toEqual([false, false]);
    now += 3_500_000;
    await one.sweep();
    expect(names()).toEqual([0, 2]);
    now += 200_000;
    await one.sweep();
    expect(names()).toEqual([0, 0]);
    expect(await taken(two, 5, 1)).toBe(true);
  });

  it('that cannot be used fail as the store does, so that it is tried again', async () => {
    writeFileSync(join(root, 'in-flight'), 'a file where a folder should be');
    await expect(taken(fleet()[0], 1)).rejects.toMatchObject({ code: 'store.unavailable' });
  });

  it('go on after a process that died while it held the lock', async () => {
    const [one, two] = fleet();
    await taken(one, 1, 1);
    const folder = join(root, 'in-flight', 'demo');
    rmSync(join(folder, 'lock'), { force: true });
    writeFileSync(join(folder, 'lock'), '');
    const old = new Date(now - 20_000);
    utimesSync(join(folder, 'lock'), old, old);
    expect(await taken(two, 2, 1)).toBe(false);
    expect(readdirSync(folder)).not.toContain('lock');
  });
});
