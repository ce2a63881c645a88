import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { jsonIn, jsonText } from '../../plan/text/json-text';
import { type Handovers, YOUNGER_FIRST_MS } from '../handovers';
import { makeFolder, namesIn, onDisk, readIfThere, writeWhole } from './durable-file';
import { scratchOf, stateLayout } from './state-layout';
import { storeNow } from './store-clock';

/**
 * `<state>/handed-over/<uuid>.json` says what a worker has handed over, when, and since when it stops. The next reader removes files that
 * no longer count.
 *
 * @param now by the clock of the store
 */
export async function openHandovers(stateDir: string, now?: () => Promise<number>): Promise<Handovers> {
  const folder = stateLayout(stateDir).handedOver;
  const scratch = scratchOf(folder);
  const guarded = <T>(work: () => Promise<T>): Promise<T> => onDisk('what workers hand over', folder, work);
  // It fails if the state folder is gone, which nothing later creates again.
  const clock = now ?? (() => storeNow(scratch));
  await guarded(() => makeFolder(scratch));
  const beganAtMs = await guarded(clock);
  let stoppedAtMs: number | undefined;
  return {
    stopping: () =>
      guarded(async () => {
        stoppedAtMs ??= await clock();
      }),
    handOver: (works) =>
      guarded(async () => {
        const atMs = await clock();
        const said = jsonText({ stoppedAtMs: stoppedAtMs ?? atMs, atMs, works: [...works] });
        await writeWhole({ path: join(folder, `${randomUUID()}.json`), scratch }, said);
      }),
    isForYounger: (work) =>
      guarded(async () => {
        const said = await handedOver(folder, clock);
        return said.some(({ works, stoppedAtMs }) => works.includes(work) && beganAtMs <= stoppedAtMs);
      }),
  };
}

const HANDED_OVER = z.object({ works: z.array(z.unknown()), stoppedAtMs: z.number(), atMs: z.number() });
type HandedOver = z.infer<typeof HANDED_OVER>;

/** The handovers that still count. */
async function handedOver(folder: string, clock: () => Promise<number>): Promise<HandedOver[]> {
  const paths = (await namesIn(folder)).filter((name) => name.endsWith('.json')).map((name) => join(folder, name));
  if (paths.length === 0) return [];
  const nowMs = await clock();
  const found = paths.map(async (path) => {
    const text = await readIfThere(path);
    const { data: said } = HANDED_OVER.safeParse(text && jsonIn(text.toString('utf8')));
    if (said && nowMs - said.atMs < YOUNGER_FIRST_MS) return [said];
    await rm(path, { force: true });
    return [];
  });
  return (await Promise.all(found)).flat();
}
