import type { About } from './about';
import type { Desk, LinkedGate } from './desk';
import { Refused } from './refused';

/** What a button of our messages carries: `thermidor:<choice>:<key>`. A choice may hold a colon, a key never does. */
export interface Button {
  choice: string;
  key: string;
}

export function readButton(text: unknown): Button | undefined {
  if (typeof text !== 'string') return undefined;
  const [, choice, key] = /^thermidor:(.+):([A-Za-z0-9_-]+)$/s.exec(text) ?? [];
  return choice === undefined || key === undefined ? undefined : { choice, key };
}

export function buttonId({ choice, key }: Button): string {
  return `thermidor:${choice}:${key}`;
}

/** The gate behind a key. Throws `Refused` 404 where there is none. */
export async function gateOf({ ports }: Desk, about: About, key: string): Promise<LinkedGate> {
  about.key = key;
  const gate = await ports.gateFor(key);
  if (gate === undefined) throw new Refused(404, 'no such gate');
  about.gate = gate;
  return gate;
}
