import { LocalSecrets } from '../../activities/adapters/secrets';
import { CALLBACK_WAYS } from '../../channels/callbacks';
import type { CallbackPorts, CallbackSettings, CodecPayload } from '../../client/callbacks/callback-context';
import { type CallbackListener, listenForCallbacks } from '../../client/callbacks/listen';
import { hookPorts, runPorts, startPort } from '../../client/callbacks/run-ports';
import type { ThermidorClient } from '../../client/connect';
import { readPlan } from '../../client/read-run';
import { defined } from '../../plan/defined';
import { CHAT_NAMES, type ChatTexts } from '../../plan/people/chats';
import type { GateLink } from '../../plan/people/notice';
import { setField } from '../../plan/text/json';
import { readShown } from '../../records/read-shown';
import { payloadCodec } from '../../records/sealing/payload-codec';
import { serviceKey } from '../../records/service-key';
import type { Invocation } from '../command';
import { shownFailure } from '../exit';
import { answerLines } from '../rendering/answer';
import type { Configuration } from '../settings/configuration';
import { reachFlags } from '../settings/given-flags';
import { keyRingOfSettings } from '../settings/key-ring';
import { recordsOf } from '../settings/records';
import type { Terminal } from '../terminal';
import { usHere } from '../triggers/us';
import { both, fileLog, printedLog } from './worker-log';

const HOST = '127.0.0.1';
/** The default port, apart from Temporal's 7233. */
const PORT = 7244;
const RATE = 120;

export interface OpenCallbacks {
  configuration: Configuration;
  client: ThermidorClient;
  terminal: Pick<Terminal, 'env'>;
  /** The port, instead of the configured one. */
  port?: number;
  warn: (message: string) => void;
}

/**
 * Starts the listener for answers from chats, webhooks and links, with the keys and the gates of a state folder. It must be the folder of
 * the workers, or have the same `callbacks.secret`. Fails with `callbacks.unavailable`, `secret.missing`, `store.unavailable`.
 */
export async function openCallbacks({ configuration, client, terminal, port, warn }: OpenCallbacks): Promise<CallbackListener> {
  const records = recordsOf(configuration);
  const { value: directory } = configuration.directory;
  const { secret, chats: given = {}, teams: signed = {}, ...plain } = configuration.callbacks.value;
  const secrets = new LocalSecrets(terminal.env);
  const key = await serviceKey(records.key, secrets, secret);
  const resolved = async (reference: string | undefined): Promise<string | undefined> =>
    reference === undefined ? undefined : secrets.resolve(reference);
  const chats: ChatTexts = {};
  for (const chat of CHAT_NAMES) {
    // A key that is public is no reference, and is its own value.
    const key = await resolved(given[chat]);
    if (key !== undefined) chats[chat] = key;
  }
  const teams: Record<string, string> = {};
  for (const [team, reference] of Object.entries(signed)) setField(teams, team, await secrets.resolve(reference));
  const settings: CallbackSettings = {
    host: HOST,
    rate: RATE,
    ...plain,
    port: port ?? plain.port ?? PORT,
    chats,
    teams,
    ...defined({ codec: configuration.encryption.value?.codec }),
  };
  const { address, namespace, embedded } = client;
  const place = { address, namespace, embedded, flags: reachFlags(configuration) };
  const ports: CallbackPorts = {
    ...runPorts(client),
    ...startPort(client, key),
    ...hookPorts(client, () => usHere({ client, configuration }), warn),
    secret: (reference) => secrets.resolve(reference),
    key,
    directory,
    tokenOf: (person) => resolved(Object.hasOwn(directory.people, person) ? directory.people[person]?.token : undefined),
    webhookSecretOf: async (gate) => resolved(await webhookSecret(configuration, client, gate)),
    gateFor: (text) => records.links.find(text),
    shown: (gate) => readShown(records.artifacts, gate),
    commands: (gate) => [
      ...answerLines(gate.run, gate, false, place).map(({ thermidor }) => thermidor),
      ...(gate.answer === undefined ? [] : [gate.answer]),
    ],
    codec: payloadCodec<CodecPayload>(keyRingOfSettings(configuration)),
    warn,
    now: () => Date.now(),
  };
  return listenForCallbacks(settings, ports, records.refusedAnswers(warn), CALLBACK_WAYS);
}

/** Starts the listener for a command that can do without it: if that fails, it warns and continues. */
export async function callbacksBeside(
  { options, terminal }: Pick<Invocation, 'options' | 'terminal'>,
  configuration: Configuration,
  client: ThermidorClient,
): Promise<CallbackListener | undefined> {
  const port = options.number('callbacksPort');
  // Commander's way of saying `--no-callbacks`.
  if (!options.flag('callbacks')) return undefined;
  const warn = warning(terminal, configuration);
  try {
    return await openCallbacks({ configuration, client, terminal, warn, ...defined({ port }) });
  } catch (error) {
    const shown = shownFailure(error);
    if (shown === undefined) throw error;
    terminal.err(`${shown.message}${shown.hint === undefined ? '' : `\n  ${shown.hint}`}\n`);
    return undefined;
  }
}

/** Errors in a listener, for the terminal and for the log. */
export function warning({ logErr }: Pick<Terminal, 'logErr'>, configuration: Configuration): (message: string) => void {
  const log = both(fileLog(configuration.stateDir.value, 'callbacks'), printedLog(logErr, 'warn'));
  return (message) => log('warn', message);
}

/** The secret of a gate's channel, by its reference: the worker's own channels win over those of the run's plan. */
async function webhookSecret(configuration: Configuration, client: ThermidorClient, gate: GateLink): Promise<string | undefined> {
  const { value: own } = configuration.channels;
  if (Object.hasOwn(own, gate.channel)) return own[gate.channel]?.webhookSecret;
  const { channels = {} } = await readPlan(client, gate.run);
  return Object.hasOwn(channels, gate.channel) ? channels[gate.channel]?.webhookSecret : undefined;
}
