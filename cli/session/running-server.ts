import { setTimeout as wait } from 'node:timers/promises';
import { connectClient, type ThermidorClient } from '../../client/connect';
import { peekServer } from '../embedded/peek-server';
import { preload } from '../preload';
import type { Configuration } from '../settings/configuration';
import { connectSession } from './session';

/** The server that is there, for what never starts one. Undefined where the embedded server does not run. */
export async function runningServer({ address, stateDir }: Configuration): Promise<string | undefined> {
  return address.value ?? (await peekServer(stateDir.value)).address;
}

/** What it answers within a time; undefined where none runs, or it does not answer: who asks can do without. */
export async function askRunningServer<T>(
  configuration: Configuration,
  limitMs: number,
  question: (client: ThermidorClient) => Promise<T>,
): Promise<T | undefined> {
  const address = await runningServer(configuration);
  if (address === undefined) return undefined;
  // Loaded before the clock runs.
  preload(connectClient);
  const asked = connectSession(configuration, address)
    .then((client) => question(client).finally(() => client.close()))
    .catch(() => undefined);
  return await Promise.race([asked, wait(limitMs, undefined, { ref: false })]);
}
