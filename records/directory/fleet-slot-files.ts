import { mkdir, open, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { errorCode } from '../../plan/error-code';
import { ThermidorFailure } from '../../plan/run/failure';
import { STATE_FILE_MODE, STATE_FOLDER_MODE } from '../../plan/run/state-file-modes';
import { jsonIn } from '../../plan/text/json-text';
import { ABSENT_MS, type FleetSlots, FORSAKEN_MS, LOST_MS, type SlotCall } from '../fleet-slots';
import { namesIn, onDisk, unlessGone } from './durable-file';
import { fileName } from './file-name';
import { stateLayout } from './state-layout';
import { dateOf } from './store-clock';

/**
 * Slots in a directory: `<root>/in-flight/<pipeline>/held/<call>` is a slot, touched as long as its holder lives; `…/line/<moment>-<call>`
 * a place in line, written when its call is woken, and read when it last asked, as its two dates say. Every look and change is made under
 * `…/lock`. Nothing here is worth a sync: slots lost in a crash of the machine have no holders.
 *
 * Times are compared with the clock of this machine: workers whose clocks differ by more than `LOST_MS` take slots from each other.
 */
export class FleetSlotFiles implements FleetSlots {
  constructor(
    private readonly root: string,
    private readonly nowMs: () => number = Date.now,
  ) {}

  take(pipeline: string, call: SlotCall, limit: number): Promise<{ taken: boolean; wake: SlotCall[] }> {
    return this.locked(pipeline, async (folder) => {
      const held = await this.living(join(folder, 'held'));
      const own = nameOf(call);
      const place = await this.placeOf(folder, own);
      const ahead = (await this.line(folder)).filter((name) => place === undefined || name < place);
      const isFree = held.includes(own) || ahead.length < limit - held.length;
      if (isFree) {
        await write(join(folder, 'held', own), call);
        await this.mark(join(folder, 'held', own), new Date(this.nowMs()));
        if (place !== undefined) await rm(join(folder, 'line', place), { force: true });
      } else {
        const name = place ?? `${String(this.nowMs()).padStart(MOMENT_CHARACTERS - 1, '0')}-${own}`;
        if (place === undefined) await write(join(folder, 'line', name), call);
        await this.mark(join(folder, 'line', name), WAITING, new Date(this.nowMs()));
      }
      return { taken: isFree, wake: await this.next(folder, limit, own) };
    });
  }

  async keep(pipeline: string, call: SlotCall): Promise<void> {
    const path = join(this.folderOf(pipeline), 'held', nameOf(call));
    await onDisk('the slots', path, () => this.mark(path, new Date(this.nowMs())));
  }

  give(pipeline: string, call: SlotCall, limit: number): Promise<SlotCall[]> {
    return this.locked(pipeline, async (folder) => {
      await rm(join(folder, 'held', nameOf(call)), { force: true });
      return await this.next(folder, limit);
    });
  }

  async sweep(): Promise<void> {
    const { slots } = stateLayout(this.root);
    await onDisk('the slots', slots, async () => {
      for (const name of await namesIn(slots)) {
        const folder = join(slots, name);
        const used = [...(await namesIn(join(folder, 'held'))), ...(await namesIn(join(folder, 'line')))];
        if (used.length === 0) continue;
        await this.underLock(folder, async () => {
          await this.living(join(folder, 'held'));
          await this.forsake(folder);
        });
      }
    });
  }

  /** The first in line, as many as there are slots: woken now, or a short while ago. One that was woken and did not come is left out. */
  private async next(folder: string, limit: number, but?: string): Promise<SlotCall[]> {
    const free = limit - (await this.living(join(folder, 'held'))).length;
    const wake: SlotCall[] = [];
    for (const name of (await this.line(folder)).slice(0, Math.max(0, free))) {
      const path = join(folder, 'line', name);
      const wokenMs = await dateOf(path);
      if (name.endsWith(but ?? '\0') || (wokenMs !== undefined && wokenMs > 0)) continue;
      const call = await readCall(path);
      if (call) wake.push(call);
      await this.mark(path, new Date(this.nowMs()));
    }
    return wake;
  }

  /** Places in line, the first first, without those that were woken and did not come. */
  private async line(folder: string): Promise<string[]> {
    const names = (await namesIn(join(folder, 'line'))).sort();
    const kept: string[] = [];
    for (const name of names) {
      const wokenMs = await dateOf(join(folder, 'line', name));
      if (wokenMs === undefined) continue;
      if (wokenMs > 0 && this.nowMs() - wokenMs > ABSENT_MS) await rm(join(folder, 'line', name), { force: true });
      else kept.push(name);
    }
    return kept;
  }

  private async placeOf(folder: string, own: string): Promise<string | undefined> {
    return (await this.line(folder)).find((name) => name.slice(MOMENT_CHARACTERS) === own);
  }

  private async living(folder: string): Promise<string[]> {
    const kept: string[] = [];
    for (const name of await namesIn(folder)) {
      const atMs = await dateOf(join(folder, name));
      if (atMs !== undefined && this.nowMs() - atMs > LOST_MS) await rm(join(folder, name), { force: true });
      else if (atMs !== undefined) kept.push(name);
    }
    return kept;
  }

  private async mark(path: string, at: Date, read = at): Promise<void> {
    await unlessGone(() => utimes(path, read, at));
  }

  /** Removes places of calls that were not woken, and have not asked for long. */
  private async forsake(folder: string): Promise<void> {
    for (const name of await this.line(folder)) {
      const path = join(folder, 'line', name);
      const date = await unlessGone(() => stat(path));
      if (date && date.mtimeMs <= 0 && this.nowMs() - date.atimeMs > FORSAKEN_MS) await rm(path, { force: true });
    }
  }

  private folderOf(pipeline: string): string {
    return join(stateLayout(this.root).slots, fileName(pipeline));
  }

  private async locked<T>(pipeline: string, work: (folder: string) => Promise<T>): Promise<T> {
    const folder = this.folderOf(pipeline);
    return await onDisk('the slots', folder, () => this.underLock(folder, work));
  }

  private async underLock<T>(folder: string, work: (folder: string) => Promise<T>): Promise<T> {
    for (const name of ['held', 'line']) await mkdir(join(folder, name), { recursive: true, mode: STATE_FOLDER_MODE });
    const lock = join(folder, 'lock');
    await acquire(lock, this.nowMs);
    try {
      return await work(folder);
    } finally {
      await rm(lock, { force: true });
    }
  }
}

const MOMENT_CHARACTERS = 16;
/** The time of a place in line that has not been woken. */
const WAITING = new Date(0);
/** A process holds the lock for milliseconds. */
const LOCK_LOST_MS = 10_000;
const LOCK_WITHIN_MS = 20_000;

async function acquire(lock: string, nowMs: () => number): Promise<void> {
  for (const startMs = nowMs(); nowMs() - startMs < LOCK_WITHIN_MS; ) {
    try {
      await (await open(lock, 'wx', STATE_FILE_MODE)).close();
      return;
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
    }
    const sinceMs = await dateOf(lock);
    if (sinceMs !== undefined && nowMs() - sinceMs > LOCK_LOST_MS) await rm(lock, { force: true });
    else await sleep(2 + Math.random() * 10);
  }
  throw new ThermidorFailure('store.unavailable', `the slots cannot be used: ${lock} is held by another process`, { path: lock });
}

function nameOf({ workflowId, run, step }: SlotCall): string {
  return fileName(`${workflowId}/${run}/${step}`);
}

async function write(path: string, call: SlotCall): Promise<void> {
  await writeFile(path, JSON.stringify(call), { mode: STATE_FILE_MODE });
}

async function readCall(path: string): Promise<SlotCall | undefined> {
  const text = await unlessGone(() => readFile(path, 'utf8'));
  return text === undefined ? undefined : CALL.safeParse(jsonIn(text)).data;
}

const CALL = z.object({ workflowId: z.string(), run: z.string(), step: z.string() });
