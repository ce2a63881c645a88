import { setTimeout as wait } from 'node:timers/promises';
import { connectClient, type ThermidorClient } from '../../client/connect';
import { peekServer } from '../embedded/peek-server';
import { preload } from '../preload';
import type { Configuration } from '../settings/configuration';
import { connectSession } from './session';

/** The running server, for commands that never start one. Undefined if the embedded server does not run. */
export async function runningServer({ address, stateDir }: Configuration): Promise<string | undefined> {
  return address.value ?? (await peekServer(stateDir.value)).address;
}

/** The server's answer within a time; undefined if none runs, or if it does not answer: the caller can do without. */
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
