import { createAnthropicService } from '../../../activities/adapters/anthropic/service';
import { modelAdapter } from '../../../activities/adapters/model/model-adapter';
import { LocalSecrets } from '../../../activities/adapters/secrets';
import type { AgentAdapter } from '../../../activities/agent-port';
import type { EndpointSpec } from '../../../plan/agents/adapter';
import { KEY } from '../../support/messages-server/dialect';
import type { MessagesReply } from '../../support/messages-server/served';
import { startMessagesServer } from '../../support/messages-server/server';
import type { Serve } from '../../support/model-server/received';
import type { Served } from '../../support/model-server/served';
import type { ModelServer } from '../../support/model-server/server';

/** The adapter with a server of its own. `close` fails if the server got a request that the API would refuse. */
export interface Local {
  server: ModelServer;
  adapter: AgentAdapter;
  /** Another worker: the same endpoint, and no memory of the first one's requests. */
  another(): AgentAdapter;
}

const servers: ModelServer[] = [];

export async function local(
  serve: Serve<MessagesReply> | readonly Served<MessagesReply>[],
  spec: Partial<EndpointSpec> = {},
): Promise<Local> {
  const server = await startMessagesServer(serve);
  servers.push(server);
  const another = () => adapterFor({ kind: 'anthropic', key: server.key, baseUrl: server.url, ...spec });
  return { server, adapter: another(), another };
}

export function adapterFor(spec: EndpointSpec, env: NodeJS.ProcessEnv = {}): AgentAdapter {
  return modelAdapter(createAnthropicService({ name: 'anthropic', spec, secrets: new LocalSecrets(env), env }));
}

export async function closeServers(): Promise<void> {
  await Promise.all(servers.splice(0).map((server) => server.close()));
}

/** The failure of a request; nothing in it names the key. */
export async function failureOf(running: Promise<void>): Promise<{ code: string; message: string; retryAfterMs?: number }> {
  const error = await running.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(JSON.stringify(error, Object.getOwnPropertyNames(error ?? {}))).not.toContain(KEY);
  return error as { code: string; message: string };
}
