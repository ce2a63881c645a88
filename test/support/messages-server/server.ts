import type { Serve } from '../model-server/received';
import type { Served } from '../model-server/served';
import { type ModelServer, type ModelServerOptions, startModelServer } from '../model-server/server';
import { MESSAGES } from './dialect';
import type { MessagesReply } from './served';

/** A local server that speaks the Messages API. `model-server/server.ts` says how it is used. */
export async function startMessagesServer(
  serve: Serve<MessagesReply> | readonly Served<MessagesReply>[],
  options?: ModelServerOptions,
): Promise<ModelServer> {
  return await startModelServer(MESSAGES, serve, options);
}
