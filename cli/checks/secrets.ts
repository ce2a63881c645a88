import type { WantedSchedule } from '../../client/schedule-options';
import { CHAT_NAMES, CHATS } from '../../plan/people/chats';
import { scheduleIdOf } from '../../plan/plan';
import { isSecretReference } from '../../plan/run/args';
import { ThermidorFailure } from '../../plan/run/failure';
import { secretsOf } from '../serving/agent-requirements';
import type { Configuration } from '../settings/configuration';
import type { Check } from './check';

type Settings = Pick<Configuration, 'directory' | 'channels' | 'mail' | 'callbacks' | 'encryption'>;

/** A value of the settings that may be a reference. */
interface Entry {
  /** Whose value it is, in the words of the row. */
  name: string;
  /** The path of the value in the settings. */
  path: string;
  value: string | undefined;
  /** The protocol of which the value must be an address. Absent: any value will do. */
  address?: 'http' | 'smtp';
}

/**
 * Whether the secrets and addresses of people, channels, mail, callbacks and web hooks exist. Each is looked up as a worker does, without
 * contacting anybody. Contents are not shown: an address is often the secret itself.
 */
export async function checkSecrets(settings: Settings, env: NodeJS.ProcessEnv, triggers: readonly WantedSchedule[] = []): Promise<Check[]> {
  const entries = [...entriesOf(settings), ...triggers.flatMap(hookEntry)];
  const wrong = (await Promise.all(entries.map(async (entry) => await checkEntry(entry, env)))).flat();
  const references = entries.filter(({ value }) => value !== undefined && isSecretReference(value));
  if (wrong.length > 0 || references.length === 0) return wrong;
  return [{ name: 'secrets', state: 'ok', says: `all found: ${references.map(({ path }) => path).join(', ')}` }];
}

function entriesOf({ directory, channels, mail, callbacks, encryption }: Settings): Entry[] {
  const people = Object.entries(directory.value.people).map(
    ([id, { token }]): Entry => ({ name: `person ${id}`, path: `people.${id}.token`, value: token }),
  );
  const hooks = Object.entries(channels.value).flatMap(([id, { webhook, webhookSecret, ...addresses }]): Entry[] => {
    const of = (key: string) => ({ name: `channel ${id}`, path: `channels.${id}.${key}` });
    return [
      { ...of('webhook'), value: webhook, address: 'http' },
      { ...of('webhook_secret'), value: webhookSecret },
      ...CHAT_NAMES.map((chat): Entry => ({ ...of(chat), value: addresses[chat], address: 'http' })),
    ];
  });
  const { secret, chats = {}, teams = {} } = callbacks.value;
  return [
    ...people,
    ...hooks,
    { name: 'mail', path: 'mail.smtp', value: mail.value?.smtp, address: 'smtp' },
    { name: 'callbacks', path: 'callbacks.secret', value: secret },
    ...CHAT_NAMES.map((chat): Entry => ({ name: 'callbacks', path: `callbacks.${CHATS[chat].proof.key}`, value: chats[chat] })),
    ...Object.entries(teams).map(([team, value]): Entry => ({ name: 'callbacks', path: `callbacks.teams.${team}`, value })),
    ...Object.entries(encryption.value?.keys ?? {}).map(
      ([id, value]): Entry => ({ name: 'encryption', path: `encryption.keys.${id}`, value }),
    ),
  ];
}

function hookEntry({ pipeline, trigger }: WantedSchedule): Entry[] {
  if (trigger.kind !== 'webhook') return [];
  return [
    { name: `web hook ${trigger.path}`, path: `the secret of the web hook ${scheduleIdOf(pipeline, trigger)}`, value: trigger.secret },
  ];
}

async function checkEntry({ name, path, value, address }: Entry, env: NodeJS.ProcessEnv): Promise<Check[]> {
  if (value === undefined) return [];
  try {
    const resolved = await secretsOf(env).resolve(value);
    if (address === undefined || isAddress(resolved, address)) return [];
    return [
      {
        name,
        state: 'failed',
        says: `${path} is not an ${address} or ${address}s address`,
        hint: `write one such as ${address}s://example.org, or a reference to one`,
      },
    ];
  } catch (error) {
    if (!(error instanceof ThermidorFailure)) throw error;
    return [{ name, state: 'failed', says: `${path}: ${error.message}`, hint: 'set it where `thermidor up` and workers start' }];
  }
}

function isAddress(text: string, protocol: 'http' | 'smtp'): boolean {
  return URL.canParse(text) && [`${protocol}:`, `${protocol}s:`].includes(new URL(text).protocol);
}
