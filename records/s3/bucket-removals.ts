import { setTimeout as sleep } from 'node:timers/promises';
import { jsonIn } from '../../plan/text/json-text';
import type { Bucket } from './bucket';

/** Says, while it is there, that objects are removed, and which ones just now. */
const ANNOUNCED = 'removing';

/** How long a removal waits until everybody who puts has seen that it is announced, and how long they rely on what they saw. */
export interface RemovalTimes {
  settleMs: number;
  lookMs: number;
  pollMs: number;
  /** An announcement that has not changed for so long is of a process that was killed, or gives up before its next step. */
  deadMs: number;
}
const TIMES: RemovalTimes = { settleMs: 45_000, lookMs: 20_000, pollMs: 500, deadMs: 300_000 };

/**
 * Lets processes put objects of a bucket while another removes some: a bucket cannot judge an object's age and remove it in one step.
 *
 * Who removes announces it, and waits until all know. Then it names some, looks at the age of each, and removes it. Who has put an object
 * looks whether it is named, and then waits until it no longer is, and puts it again. Of the two, one sees what the other did: the look at
 * the age follows the naming, and the look at the names follows the put. No clock of a host counts.
 */
export class BucketRemovals {
  private looked: { atMs: number; announced: Promise<boolean> } | undefined;

  constructor(
    private readonly bucket: Bucket,
    private readonly times = TIMES,
  ) {}

  /** Puts an object so that no removal takes it away. @param put returns false if nothing had to be put */
  async unlessRemoved(key: string, put: () => Promise<boolean>): Promise<void> {
    while (await put()) {
      if (!(await this.isAnnounced()) || !(await this.isNamed(key))) return;
      await this.untilDone(key);
    }
  }

  /**
   * Removes objects as long as this process is the one that does; what another is at stays.
   *
   * @param work gets what removes objects of these keys if `isOld`, and returns those that it has removed
   */
  async removing<T>(work: (remove: RemoveObjects) => Promise<T>): Promise<T | undefined> {
    if (!(await this.bucket.putIfAbsent(ANNOUNCED, NAMES_NONE)) && !(await this.isDead())) return undefined;
    await this.name([]);
    await sleep(this.times.settleMs);
    try {
      return await work(async (keys, isOld) => {
        await this.name(keys);
        const namedMs = performance.now();
        const removed: string[] = [];
        for (const key of keys) {
          // A process that was stopped in between is taken for dead.
          if (performance.now() - namedMs > this.times.deadMs / 2) break;
          const putAtMs = await this.bucket.putAtMs(key);
          if (putAtMs === undefined || !isOld(putAtMs)) continue;
          await this.bucket.remove(key);
          removed.push(key);
        }
        return removed;
      });
    } finally {
      await this.bucket.remove(ANNOUNCED);
    }
  }

  /** As seen a moment ago; those who ask at once look together. */
  private async isAnnounced(): Promise<boolean> {
    const atMs = performance.now();
    if (this.looked === undefined || atMs - this.looked.atMs > this.times.lookMs) {
      this.looked = { atMs, announced: this.bucket.putAtMs(ANNOUNCED).then((putAtMs) => putAtMs !== undefined) };
    }
    const { looked } = this;
    return await looked.announced.catch((error: unknown) => {
      if (this.looked === looked) this.looked = undefined;
      throw error;
    });
  }

  private async isNamed(key: string): Promise<boolean> {
    const said = jsonIn((await this.bucket.get(ANNOUNCED))?.bytes.toString('utf8') ?? '');
    return Array.isArray(said) && said.includes(key);
  }

  private async untilDone(key: string): Promise<void> {
    const sinceMs = performance.now();
    while ((await this.isNamed(key)) && performance.now() - sinceMs < this.times.deadMs) await sleep(this.times.pollMs);
  }

  private async isDead(): Promise<boolean> {
    const before = (await this.bucket.get(ANNOUNCED))?.putAtMs;
    const sinceMs = performance.now();
    while (performance.now() - sinceMs < this.times.deadMs) {
      await sleep(this.times.pollMs);
      if ((await this.bucket.putAtMs(ANNOUNCED)) !== before) return false;
    }
    return true;
  }

  private name(keys: readonly string[]): Promise<void> {
    return this.bucket.put(ANNOUNCED, Buffer.from(JSON.stringify(keys)));
  }
}

export type RemoveObjects = (keys: readonly string[], isOld: (putAtMs: number) => boolean) => Promise<string[]>;

const NAMES_NONE = Buffer.from('[]');

const removals = new WeakMap<Bucket, BucketRemovals>();

/** All who put objects of a bucket in one process look together. */
export function removalsOf(bucket: Bucket, times?: RemovalTimes): BucketRemovals {
  const known = removals.get(bucket) ?? new BucketRemovals(bucket, times);
  removals.set(bucket, known);
  return known;
}
