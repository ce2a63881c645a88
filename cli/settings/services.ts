import { CHAT_NAMES, CHATS, type ChatTexts } from '../../channels/chats';
import type { ChatManifest } from '../../channels/manifest';
import { defined } from '../../plan/defined';
import { isSecretReference } from '../../plan/run/args';
import type { CallbackSpec, MailSpec, WatchSpec } from '../../plan/run/services';
import { type Problems, type Reader, refuse, refuseKey, secret, settingFields, shaped, text, texts, whole } from './fields';

/** `mail: {smtp, from}`; both are required. */
export const mail: Reader<MailSpec> = (value, name, problems) => {
  const fields = settingFields(value, name, ['smtp', 'from'], problems);
  if (!fields) return undefined;
  const before = problems.length;
  const [smtp, from] = [fields.take('smtp', smtpAddress), fields.take('from', SENDER)];
  if (smtp !== undefined && from !== undefined) return { smtp, from };
  if (problems.length === before) refuseKey(problems, name, `"${name}" needs both "smtp" and "from"`);
  return undefined;
};

const SENDER = shaped(/^[^@]*[^\s@]+@[^\s@]+$/, 'the sender’s address, such as thermidor@example.org');

const smtpAddress: Reader<string> = (value, name, problems) => {
  if (typeof value === 'string' && (isSecretReference(value) || hasProtocol(value, /^smtps?:$/))) return value;
  refuse(problems, name, `"${name}" must be an address such as smtp://user:password@host:587, or a reference secret://env/NAME to one`);
  return undefined;
};

const KEYS = ['host', 'port', 'url', 'secret', ...CHAT_NAMES.map((chat) => CHATS[chat].proof.key), 'rate', 'start'];
const MOST_REQUESTS = 1_000_000;

/** `callbacks: {host, port, url, secret, rate, start}` and what proves each chat's requests. */
export const callbacks: Reader<CallbackSpec> = (value, name, problems) => {
  const fields = settingFields(value, name, KEYS, problems);
  if (!fields) return undefined;
  const spec: CallbackSpec = {};
  const [host, port, url] = [fields.take('host', text), fields.take('port', whole(0, 65_535)), fields.take('url', publicUrl)];
  const key = fields.take('secret', secret);
  const chats: ChatTexts = {};
  for (const chat of CHAT_NAMES) {
    const read = fields.take(CHATS[chat].proof.key, proofReader(CHATS[chat]));
    if (read !== undefined) chats[chat] = read;
  }
  const start = fields.take('start', texts);
  const rate = fields.take('rate', whole(1, MOST_REQUESTS));
  if (host !== undefined) spec.host = host;
  if (port !== undefined) spec.port = port;
  if (url !== undefined) spec.url = url;
  if (key !== undefined) spec.secret = key;
  if (Object.keys(chats).length > 0) spec.chats = chats;
  if (rate !== undefined) spec.rate = rate;
  if (start !== undefined) spec.start = start;
  return spec;
};

function proofReader({ title, proof: { hexDigits } }: ChatManifest): Reader<string> {
  if (hexDigits === undefined) return secret;
  const shape = shaped(new RegExp(`^[0-9a-f]{${hexDigits}}$`, 'i'), `${hexDigits} hexadecimal digits, as ${title} shows the key`);
  return (value, name, problems) => shape(value, name, problems)?.toLowerCase();
}

/** `metrics: {host, port}`: where workers answer Prometheus. */
export const metrics: Reader<WatchSpec> = (value, name, problems) => {
  const fields = settingFields(value, name, ['host', 'port'], problems);
  if (!fields) return undefined;
  const before = problems.length;
  const [host, port] = [fields.take('host', text), fields.take('port', whole(0, 65_535))];
  if (port !== undefined) return { port, ...defined({ host }) };
  if (problems.length === before) refuseKey(problems, name, `"${name}" needs "port"`);
  return undefined;
};

function publicUrl(value: unknown, name: string, problems: Problems): string | undefined {
  if (typeof value === 'string' && hasProtocol(value, /^https?:$/) && !/[?#]/.test(value)) return value.replace(/\/+$/, '');
  refuse(problems, name, `"${name}" must be an address such as https://example.org/thermidor`);
  return undefined;
}

function hasProtocol(address: string, protocol: RegExp): boolean {
  return URL.canParse(address) && protocol.test(new URL(address).protocol) && new URL(address).hostname !== '';
}
