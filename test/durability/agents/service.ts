import { type MessagesServer, type Serve, startMessagesServer } from '../../support/messages-server/server';
import { Scratch } from '../support/scratch';
import { until } from '../support/until';

/** A working folder whose agents ask a Messages server of the test's own, over the network. */
export interface LiveScratch {
  scratch: Scratch;
  server: MessagesServer;
  /** From now on. */
  serve(by: Serve): void;
  close(): Promise<void>;
}

export async function liveScratch(): Promise<LiveScratch> {
  let serving: Serve = () => ({ kind: 'silence' });
  const server = await startMessagesServer((request) => serving(request));
  const scratch = await Scratch.make({ ANTHROPIC_API_KEY: server.key });
  const settings = { default_adapter: 'anthropic', adapters: { anthropic: { base_url: server.url, model: 'model-1' } } };
  scratch.write('thermidor.yaml', JSON.stringify(settings));
  return {
    ...{ scratch, server },
    serve(by) {
      serving = by;
    },
    async close() {
      await scratch.close();
      await server.close();
    },
  };
}

/** Requests of one run. */
export function requestsOf({ server }: LiveScratch, run: string): string[] {
  return server.requests.flatMap(({ idempotencyKey }) => (idempotencyKey.startsWith(`${run}/`) ? [idempotencyKey] : []));
}

export async function untilRequests(live: LiveScratch, count: number): Promise<void> {
  await until(`${count} requests`, () => live.server.requests.length >= count);
}
