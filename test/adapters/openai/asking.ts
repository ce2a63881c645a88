import type { ModelReply, ModelRequest } from '../../../activities/adapters/model/service';
import { openAiService } from '../../../activities/adapters/openai/service';
import { LocalSecrets } from '../../../activities/adapters/secrets';
import type { EndpointSpec } from '../../../plan/agents/adapter';
import { ThermidorFailure } from '../../../plan/run/failure';
import type { Turn } from '../../../records/transcripts/turn';
import type { CompletionsReply } from '../../support/completions-server/served';
import { type CompletionsServerOptions, startCompletionsServer } from '../../support/completions-server/server';
import type { Serve } from '../../support/model-server/received';
import type { Served } from '../../support/model-server/served';
import type { ModelServer } from '../../support/model-server/server';

/** A server and the service that asks it, as tests use them. */
export interface Asking {
  server: ModelServer;
  ask(more?: Partial<ModelRequest>, signal?: AbortSignal): Promise<ModelReply>;
}

const open: ModelServer[] = [];

export async function closeAll(): Promise<void> {
  for (const server of open.splice(0)) await server.close();
}

export async function asking(
  serve: Serve<CompletionsReply> | readonly Served<CompletionsReply>[],
  { spec = {}, ...options }: CompletionsServerOptions & { spec?: Partial<EndpointSpec> } = {},
): Promise<Asking> {
  const server = await startCompletionsServer(serve, options);
  open.push(server);
  const env = { K: server.key };
  const service = openAiService({
    name: 'local',
    spec: { kind: 'openai', baseUrl: server.url, ...(server.key === '' ? {} : { key: 'secret://env/K' }), ...spec },
    secrets: new LocalSecrets(env),
    env,
  });
  return { server, ask: (more = {}, signal = new AbortController().signal) => service.reply({ ...REQUEST, ...more }, signal) };
}

export const TASK: Turn = { role: 'user', text: 'Do it.' };

export const REQUEST: ModelRequest = {
  idempotencyKey: 'w/run/step#1~1/1/1',
  model: 'qwen3',
  system: 'You are careful.',
  turns: [TASK],
  tools: [],
  maxTokens: 1000,
  alive: () => undefined,
};

export const READ_FILE = {
  name: 'read_file',
  description: 'reads',
  parameters: { type: 'object', properties: { path: { type: 'string' } } },
};

/** The error with which a promise rejects. A `BrokenReply` is returned unchanged. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  return await promise.then(
    (value) => {
      throw new Error(`it was answered: ${JSON.stringify(value)}`);
    },
    (error: unknown) => error,
  );
}

export async function failure(promise: Promise<unknown>): Promise<ThermidorFailure> {
  const error = await rejection(promise);
  if (error instanceof ThermidorFailure) return error;
  throw error;
}
