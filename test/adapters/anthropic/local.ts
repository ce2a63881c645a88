import { createAnthropicService } from '../../../activities/adapters/anthropic/service';
import { modelAdapter } from '../../../activities/adapters/model/loop';
import { LocalSecrets } from '../../../activities/adapters/secrets';
import type { AgentAdapter } from '../../../activities/agent-port';
import type { EndpointSpec } from '../../../plan/adapter';
import type { Served } from '../../support/messages-server/served';
import { type MessagesServer, type Serve, startMessagesServer } from '../../support/messages-server/server';

/** The adapter against a server of its own. `close` fails where the server was sent what the API would not take. */
export interface Local {
  server: MessagesServer;
  adapter: AgentAdapter;
  /** Another worker: the same endpoint, nothing remembered. */
  another(): AgentAdapter;
}

const servers: MessagesServer[] = [];

export async function local(serve: Serve | readonly Served[], spec: Partial<EndpointSpec> = {}, answerMs?: number): Promise<Local> {
  const server = await startMessagesServer(serve);
  servers.push(server);
  const another = () => adapterFor({ kind: 'anthropic', key: server.key, baseUrl: server.url, ...spec }, {}, answerMs);
  return { server, adapter: another(), another };
}

export function adapterFor(spec: EndpointSpec, env: NodeJS.ProcessEnv = {}, answerMs?: number): AgentAdapter {
  const limit = answerMs === undefined ? {} : { answerMs };
  return modelAdapter(createAnthropicService({ name: 'anthropic', spec, secrets: new LocalSecrets(env), env, ...limit }));
}

export async function closeServers(): Promise<void> {
  await Promise.all(servers.splice(0).map((server) => server.close()));
}
