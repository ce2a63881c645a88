import { randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type HostPresence,
  type PresenceTimes,
  presenceTimes,
  type SaysOfItself,
  type StopAnnouncing,
  type Unheard,
} from '../host-presence';
import { repeatSigns } from '../signs-of-life';
import { type HeardWorker, heardIn, signText } from '../worker-sign';
import { makeFolder, namesIn, onDisk, unlessGone } from './durable-file';
import { fileName } from './file-name';
import { stateLayout } from './state-layout';
import { dateOf, sign, storeNow } from './store-clock';

/**
 * On a directory: `<state>/hosts/<host>~<worker>` is written anew with each sign of life, so that the file system dates it. Nothing here is
 * worth a sync: a machine that crashes has no workers.
 */
export function hostPresenceFiles(stateDir: string, unheard: Unheard, times?: PresenceTimes): HostPresence {
  const all = presenceTimes(times);
  const folder = stateLayout(stateDir).hosts;
  return {
    announce: (host, says) => onDisk(SIGNS, folder, () => announce(folder, host, says, all, unheard)),
    isAlive: (host) => onDisk(SIGNS, folder, () => isAlive(folder, host, all.deadAfterMs)),
    workers: () => onDisk(SIGNS, folder, () => workers(folder)),
  };
}

const SIGNS = 'the signs of life of hosts';

async function announce(
  folder: string,
  host: string,
  says: SaysOfItself | undefined,
  { everyMs, forgottenAfterMs }: ReturnType<typeof presenceTimes>,
  unheard: Unheard,
): Promise<StopAnnouncing> {
  await makeFolder(folder);
  await forget(folder, forgottenAfterMs);
  const path = join(folder, `${fileName(host)}${WORKER}${randomUUID()}`);
  const give = async (): Promise<void> => await sign(path, says && signText(await says()));
  await give();
  // If signs fail, others take this host for dead, and its worktrees over: the epoch fences it off.
  const stop = repeatSigns(give, everyMs, (problem) => unheard(host, problem));
  return async () => {
    await stop();
    await rm(path, { force: true });
  };
}

async function isAlive(folder: string, host: string, deadAfterMs: number): Promise<boolean> {
  const own = `${fileName(host)}${WORKER}`;
  const names = (await namesIn(folder)).filter((name) => name.startsWith(own) && name.length === own.length + UUID_CHARACTERS);
  if (names.length === 0) return false;
  const nowMs = await storeNow(folder);
  const signs = await Promise.all(names.map((name) => dateOf(join(folder, name))));
  return signs.some((atMs) => atMs !== undefined && nowMs - atMs < deadAfterMs);
}

async function workers(folder: string): Promise<HeardWorker[]> {
  const names = (await namesIn(folder)).filter((name) => name.includes(WORKER));
  if (names.length === 0) return [];
  const nowMs = await storeNow(folder);
  const heard = names.map(async (name) => {
    const [said, atMs] = await Promise.all([unlessGone(() => readFile(join(folder, name), 'utf8')), dateOf(join(folder, name))]);
    return said === undefined || atMs === undefined ? undefined : heardIn(said, nowMs - atMs);
  });
  return (await Promise.all(heard)).filter((one) => one !== undefined);
}

/** The separator of host and worker. No host's id contains it. */
const WORKER = '~';
const UUID_CHARACTERS = 36;

async function forget(folder: string, afterMs: number): Promise<void> {
  const nowMs = await storeNow(folder);
  for (const name of await namesIn(folder)) {
    const atMs = await dateOf(join(folder, name));
    if (atMs !== undefined && nowMs - atMs > afterMs) await rm(join(folder, name), { force: true });
  }
}
