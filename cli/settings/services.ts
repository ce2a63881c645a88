import { isServiceAddress } from '../../plan/agents/adapter';
import { defined } from '../../plan/defined';
import type { ChatManifest } from '../../plan/people/chats';
import { CHAT_NAMES, CHATS, type ChatTexts } from '../../plan/people/chats';
import { isSecretReference } from '../../plan/run/args';
import type { CallbackSpec, MailSpec, TraceSpec, WatchSpec } from '../../plan/run/services';
import { headers } from './endpoints';
import { must, named, type Reader, record, refuseKey, secret, shaped, text, texts, whole } from './fields';

/** `mail: {smtp, from}`; both are required. */
export const mail: Reader<MailSpec> = (value, name, problems) => {
  const before = problems.length;
  const { smtp, from } = MAIL(value, name, problems) ?? {};
  if (smtp !== undefined && from !== undefined) return { smtp, from };
  if (problems.length === before) refuseKey(problems, name, `"${name}" needs both "smtp" and "from"`);
  return undefined;
};

const MAIL = record({
  smtp: must('an address such as smtp://user:password@host:587, or a reference secret://env/NAME to one', (value) =>
    typeof value === 'string' && (isSecretReference(value) || hasProtocol(value, /^smtps?:$/)) ? value : undefined,
  ),
  from: shaped(/^[^@]*[^\s@]+@[^\s@]+$/, 'the sender’s address, such as thermidor@example.org'),
});

const MOST_REQUESTS = 1_000_000;
const LISTENER = { host: text, port: whole(0, 65_535) };

/** `callbacks: {host, port, url, secret, rate, start, teams}` and what proves each chat's requests. */
export const callbacks: Reader<CallbackSpec> = (value, name, problems) => {
  const read = CALLBACKS(value, name, problems);
  if (!read) return undefined;
  const { host, port, url, secret, start, teams, rate, ...others } = read;
  const proofs: Readonly<Record<string, string | undefined>> = others;
  const proven = CHAT_NAMES.map((chat) => [chat, proofs[CHATS[chat].proof.key]] as const).filter(([, proof]) => proof !== undefined);
  const chats: ChatTexts | undefined = proven.length === 0 ? undefined : Object.fromEntries(proven);
  return defined({ host, port, url, secret, chats, rate, start, teams });
};

const CALLBACKS = record({
  ...(Object.fromEntries(CHAT_NAMES.map((chat) => [CHATS[chat].proof.key, proofReader(CHATS[chat])])) as Record<string, Reader<string>>),
  ...LISTENER,
  url: must('an address such as https://example.org/thermidor', (value) =>
    typeof value === 'string' && hasProtocol(value, /^https?:$/) && !/[?#]/.test(value) ? value.replace(/\/+$/, '') : undefined,
  ),
  secret,
  rate: whole(1, MOST_REQUESTS),
  start: texts,
  teams: named(secret),
});

function proofReader({ title, proof: { hexDigits } }: ChatManifest): Reader<string> {
  if (hexDigits === undefined) return secret;
  const shape = shaped(new RegExp(`^[0-9a-f]{${hexDigits}}$`, 'i'), `${hexDigits} hexadecimal digits, as ${title} shows the key`);
  return (value, name, problems) => shape(value, name, problems)?.toLowerCase();
}

/** `traces: {url, headers}`: the collector that gets traces. An address without a path means `/v1/traces` there. */
export const traces: Reader<TraceSpec> = (value, name, problems) => {
  const before = problems.length;
  const { url, headers: given } = TRACES(value, name, problems) ?? {};
  if (url !== undefined)
    return { url: new URL(url).pathname === '/' ? `${url.replace(/\/$/, '')}/v1/traces` : url, ...defined({ headers: given }) };
  if (problems.length === before) refuseKey(problems, name, `"${name}" needs "url"`);
  return undefined;
};

const TRACES = record({
  url: must('an address such as http://127.0.0.1:4318, without a user, a password or a "?"', (value) =>
    typeof value === 'string' && isServiceAddress(value) ? value : undefined,
  ),
  headers,
});

/** `metrics: {host, port}`: where workers answer Prometheus. */
export const metrics: Reader<WatchSpec> = (value, name, problems) => {
  const before = problems.length;
  const read = record(LISTENER)(value, name, problems);
  if (read?.port !== undefined) return { ...read, port: read.port };
  if (problems.length === before) refuseKey(problems, name, `"${name}" needs "port"`);
  return undefined;
};

function hasProtocol(address: string, protocol: RegExp): boolean {
  return URL.canParse(address) && protocol.test(new URL(address).protocol) && new URL(address).hostname !== '';
}
