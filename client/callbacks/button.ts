import type { GateLink } from '../../plan/people/notice';
import type { CallbackContext } from './callback-context';
import { CallbackRefused } from './refusal';
import type { RequestFacts } from './refusal-record';

/** The payload of our messages' buttons: `thermidor:<choice>:<key>`. A choice may contain a colon, a key never does. */
export interface PressedButton {
  choice: string;
  key: string;
}

export function readButton(text: unknown): PressedButton | undefined {
  if (typeof text !== 'string') return undefined;
  const [, choice, key] = /^thermidor:(.+):([A-Za-z0-9_-]+)$/s.exec(text) ?? [];
  return choice === undefined || key === undefined ? undefined : { choice, key };
}

export function buttonId({ choice, key }: PressedButton): string {
  return `thermidor:${choice}:${key}`;
}

/** The gate of a key. Throws `CallbackRefused` 404 if there is none. */
export async function gateOf({ ports }: CallbackContext, about: RequestFacts, key: string): Promise<GateLink> {
  about.key = key;
  const gate = await ports.gateFor(key);
  if (gate === undefined) throw new CallbackRefused(404, 'no such gate');
  about.gate = gate;
  return gate;
}
