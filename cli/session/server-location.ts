import type { ServerPlace } from '../rendering/answer';
import { givenFlags } from '../settings/given-flags';
import type { Session } from './session';

/** The server to which printed commands must lead. */
export function serverLocation({ client, configuration }: Pick<Session, 'client' | 'configuration'>): ServerPlace {
  const { address, namespace, embedded } = client;
  return { address, namespace, embedded, flags: givenFlags(configuration), tokens: tokensOf(configuration) };
}

function tokensOf({ directory }: Session['configuration']): Record<string, string> {
  const people = Object.entries(directory.value.people);
  return Object.fromEntries(people.flatMap(([name, { token }]) => (token?.startsWith('secret://') ? [[name, token]] : [])));
}
