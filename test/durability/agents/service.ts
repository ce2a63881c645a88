import { scriptBeside } from '../../../worker/script-files';
import { MESSAGES } from '../../support/messages-server/dialect';
import type { MessagesReply } from '../../support/messages-server/served';
import { startMessagesServer } from '../../support/messages-server/server';
import { replyFromScript } from '../../support/model-server/from-script';
import type { Serve } from '../../support/model-server/received';
import type { ModelServer } from '../../support/model-server/server';
import { Scratch, SET_UP_MS } from '../support/scratch';

/** A working folder whose agents ask a Messages server of the test's own, over the network. */
export interface LiveScratch {
  scratch: Scratch;
  server: ModelServer;
  /** Answers by this function from now on. */
  serve(by: Serve<MessagesReply>): void;
  /** Sets up more adapters, in addition to the service's. */
  set(adapters: object): void;
  close(): Promise<void>;
}

/** @param environment of the programs, in addition to the server's key; @param make the folder */
export async function liveScratch(environment: NodeJS.ProcessEnv = {}, make = Scratch.make): Promise<LiveScratch> {
  let serving: Serve<MessagesReply> = () => ({ kind: 'silence' });
  const server = await startMessagesServer((request) => serving(request));
  const scratch = await make({ ...environment, ANTHROPIC_API_KEY: server.key });
  const set = (adapters: object) => {
    const anthropic = { base_url: server.url, model: 'model-1' };
    scratch.write('thermidor.yaml', JSON.stringify({ default_adapter: 'anthropic', adapters: { anthropic, ...adapters } }));
  };
  set({});
  return {
    ...{ scratch, server, set },
    serve(by) {
      serving = by;
    },
    async close() {
      await scratch.close();
      await server.close();
    },
  };
}

/** The same for all tests of a file or a `describe`, with a server that stays up between its programs. */
export function keptLiveScratch(): () => LiveScratch {
  let live: LiveScratch | undefined;
  const kept = (): LiveScratch => {
    if (!live) throw new Error('no test has begun');
    return live;
  };
  beforeAll(async () => {
    live = await liveScratch();
    await live.scratch.keepServer();
  }, SET_UP_MS);
  afterAll(() => live?.close());
  return kept;
}

/** Requests of one run. */
export function requestsOf({ server }: LiveScratch, run: string): string[] {
  return server.requests.flatMap(({ idempotencyKey }) => (idempotencyKey.startsWith(`${run}/`) ? [idempotencyKey] : []));
}

/**
 * Answers from a script next to its pipeline, but leaves the first request of a step without a reply. Returns whether that request has
 * come.
 */
export function leaveOneSilent(
  live: LiveScratch,
  { pipeline, script, at }: { pipeline: string; script: string; at: string },
): () => boolean {
  const reply = replyFromScript(scriptBeside(live.scratch.path(pipeline), script).script, MESSAGES.voice);
  let isAwaited = false;
  live.serve((request) => {
    if (isAwaited || !request.idempotencyKey.includes(`/${at}#`)) return reply(request);
    isAwaited = true;
    return { kind: 'silence' };
  });
  return () => isAwaited;
}
