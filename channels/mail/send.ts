import { createHash } from 'node:crypto';
import { z } from 'zod';
import { leftOut, shownPart } from '../../activities/adapters/notify/shown-part';
import type { ChannelAdapter, ChannelMessage } from '../../activities/channel-port';
import type { Secrets } from '../../activities/ports';
import { type Directory, NOBODY } from '../../plan/people/people';
import { ThermidorFailure } from '../../plan/run/failure';
import type { MailSpec } from '../../plan/run/services';

/**
 * Sends a message as one mail in plain text to the channel's addresses.
 *
 * Invariants: 1. the Message-ID is made from the idempotency key, so that mailboxes can recognise a repetition; 2. text reaches a header
 * only on one line and encoded; 3. failures name neither addresses nor the server, whose address holds a password;
 * 4. a password is never sent in clear text to another machine, unless the address asks for it (`?requireTLS=false`).
 *
 * Retried by Temporal: no answer and answers of 4xx, even if they concern only some of the addresses, and the others then get the mail
 * again. Not retried: 5xx, such as a wrong password or an address that does not exist; others that took the mail keep it.
 */
export class MailChannel implements ChannelAdapter {
  readonly name = 'mail';

  constructor(
    private readonly secrets: Secrets,
    /** Absent: the worker has no mail server, and says so if a channel needs one. */
    private readonly settings: MailSpec | undefined,
    private readonly directory: Directory = NOBODY,
    private readonly timeoutMs = 20_000,
  ) {}

  serves(message: ChannelMessage): boolean {
    return (message.spec?.email?.length ?? 0) > 0;
  }

  async deliver(message: ChannelMessage, signal: AbortSignal): Promise<void> {
    const { channel } = message;
    const { settings } = this;
    if (!settings) {
      throw new ThermidorFailure('channel.refused', `${channel} has mail addresses, but the settings have no mail server`, { channel });
    }
    const url = await this.server(settings, channel);
    const from = await this.secrets.resolve(settings.from);
    const named = (message.spec?.email ?? []).flatMap((entry) => this.addressesOf(entry, channel));
    const to = await Promise.all([...new Set(named)].map((address) => this.secrets.resolve(address)));
    const late = AbortSignal.timeout(this.timeoutMs);
    const ended = AbortSignal.any([signal, late]);
    // A library of some size that only workers which send mail need.
    const { createTransport } = await import('nodemailer');
    const transport = createTransport({ url: url.href, requireTLS: sendsPassword(url), disableFileAccess: true, disableUrlAccess: true });
    try {
      const { rejected, rejectedErrors = [] } = await transport.sendMail({ ...mailOf(message, from, to), signal: ended });
      if (rejected.length > 0) throw refusal(channel, rejectedErrors);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ThermidorFailure) throw error;
      if (late.aborted) throw unavailable(channel, `did not answer within ${this.timeoutMs} ms`, { unanswered: true });
      throw refusal(channel, [error]);
    } finally {
      transport.close();
    }
  }

  /** An address, or the addresses of a person or group that the settings know. */
  private addressesOf(entry: string, channel: string): string[] {
    const { people, groups } = this.directory;
    const names = Object.hasOwn(groups, entry) ? (groups[entry] ?? []) : Object.hasOwn(people, entry) ? [entry] : undefined;
    if (!names) return [entry];
    return names.map((name) => {
      const address = Object.hasOwn(people, name) ? people[name]?.email : undefined;
      if (address !== undefined) return address;
      throw new ThermidorFailure('channel.refused', `${channel} writes to ${name}, who has no mail address in the settings`, { channel });
    });
  }

  private async server({ smtp }: MailSpec, channel: string): Promise<URL> {
    const address = await this.secrets.resolve(smtp);
    if (URL.canParse(address) && /^smtps?:$/.test(new URL(address).protocol)) return new URL(address);
    throw new ThermidorFailure('channel.refused', 'the mail server of the settings is not an smtp or smtps address', { channel });
  }
}

const SUBJECT_LIMIT = 150;
/** The most of a report: many mail servers take messages of 10 MB, and an attachment grows by a third on its way. */
const ATTACHED_BYTES = 5 * 1024 * 1024;
/** How much of a gate's content a mail has: mailboxes hide the end of longer texts, or refuse them. */
const SHOWN_LIMIT = 100_000;

function mailOf(message: ChannelMessage, from: string, to: readonly string[]) {
  const { title, body, text, idempotencyKey } = message;
  const part = shownPart(message, SHOWN_LIMIT);
  const shown = part ? [`\n\nWhat is shown\n\n${part.text}`, ...(part.note === undefined ? [] : [part.note])].join('\n') : '';
  const { report } = message;
  const isAttached = report !== undefined && Buffer.byteLength(report.text) <= ATTACHED_BYTES;
  const attachments = isAttached ? [{ filename: report.name, content: report.text, contentType: report.mediaType }] : [];
  const left = report && !isAttached ? `\n\n${leftOut(report)}` : '';
  const [first = ''] = body.trim().split('\n');
  const subject = [...`${title}${first === '' ? '' : `: ${first}`}`].slice(0, SUBJECT_LIMIT).join('');
  const domain = /@([A-Za-z0-9.-]+)>?\s*$/.exec(from)?.[1] ?? 'thermidor.invalid';
  return {
    from,
    // Objects are not parsed as lists of addresses with names and groups.
    to: to.map((address) => ({ name: '', address })),
    subject: subject.replace(/\s+/g, ' '),
    text: `${text}${shown}${left}`,
    attachments,
    messageId: `<${createHash('sha256').update(idempotencyKey).digest('hex').slice(0, 40)}@${domain}>`,
    // Keeps holiday notices from answering (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated' },
  };
}

/** One failure for all errors: temporary if any of them is. */
function refusal(channel: string, errors: readonly unknown[]): ThermidorFailure {
  const reported = errors
    .map((error) => MAIL_ERROR.parse(error))
    .flatMap((error) => (error.rejectedErrors.length > 0 ? error.rejectedErrors.map((one) => MAIL_ERROR.parse(one)) : [error]))
    .map(({ responseCode, code }) => ({ status: responseCode, code }));
  const temporary = reported.find(({ status, code }) => (status === undefined ? !HOPELESS.includes(code) : status < 500));
  if (temporary) return unavailable(channel, `failed with ${temporary.status ?? temporary.code}`);
  const what = [reported[0]?.status, reported[0]?.code].filter((part) => part !== undefined).join(' ');
  const hint = 'check its user and password, its encryption, the sender, and the addresses of the channel';
  return new ThermidorFailure('channel.refused', `the mail server refused the mail for ${channel} (${what}); ${hint}`, { channel });
}

function unavailable(channel: string, why: string, more: { unanswered?: true } = {}): ThermidorFailure {
  return new ThermidorFailure('channel.unavailable', `the mail server for ${channel} ${why}`, { channel, ...more });
}

/** The codes of messages that nodemailer itself refuses at every attempt. */
const HOPELESS = ['EENVELOPE', 'ENOAUTH', 'ECONFIG'];

/** What may be shown of an error of nodemailer: messages quote addresses. If the server rejected every address, its answer for each. */
const MAIL_ERROR = z
  .object({
    code: z
      .string()
      .regex(/^[A-Z_]{2,24}$/)
      .catch('an error'),
    responseCode: z.number().optional().catch(undefined),
    rejectedErrors: z.array(z.unknown()).catch([]),
  })
  .catch({ code: 'an error', responseCode: undefined, rejectedErrors: [] });

function sendsPassword({ protocol, password, hostname }: URL): boolean {
  return protocol === 'smtp:' && password !== '' && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
}
