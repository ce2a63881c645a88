import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { portOf } from './hook-server';

export interface Mail {
  from: string;
  to: string[];
  /** Unfolded headers, by their names in lower case. */
  headers: Map<string, string[]>;
  text: string;
}

export interface MailServer {
  port: number;
  mails: Mail[];
  /** The users who logged in. */
  users: string[];
  close(): Promise<void>;
}

export const PASSWORD = 'p@ss/word';
const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

/** An SMTP server on a local port that keeps what it takes. */
export async function mailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const mails: Mail[] = [];
  const users: string[] = [];
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    allowInsecureAuth: true,
    logger: false,
    onAuth({ username = '', password }, _session, done) {
      if (password !== PASSWORD) return done(Object.assign(new Error('bad credentials'), { responseCode: 535 }));
      users.push(username);
      done(null, { user: username });
    },
    async onData(stream, { envelope }, done) {
      const chunks: Uint8Array[] = [];
      for await (const chunk of stream) chunks.push(chunk);
      const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
      mails.push({ from, to: envelope.rcptTo.map(({ address }) => address), ...parsed(Buffer.concat(chunks).toString('latin1')) });
      done();
    },
    ...options,
  });
  // Some tests use a client that goes away in the middle.
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      for (const connection of server.connections) connection.close();
      server.close(resolve);
    });
  open.push(close);
  return { port: portOf(server.server.address()), mails, users, close };
}

/** Refuses some addresses with a status, as servers do at RCPT TO. */
export function refusing(statuses: Readonly<Record<string, number>>): SMTPServerOptions {
  return {
    onRcptTo({ address }, _session, done) {
      const responseCode = statuses[address];
      done(responseCode === undefined ? null : Object.assign(new Error(`no ${address}`), { responseCode }));
    },
  };
}

function parsed(raw: string): Pick<Mail, 'headers' | 'text'> {
  const end = raw.indexOf('\r\n\r\n');
  const headers = new Map<string, string[]>();
  for (const line of raw
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')) {
    const [name = '', ...value] = line.split(':');
    headers.set(name.toLowerCase(), [...(headers.get(name.toLowerCase()) ?? []), value.join(':').trim()]);
  }
  return { headers, text: decoded(raw.slice(end + 4), headers.get('content-transfer-encoding')?.[0]) };
}

function decoded(body: string, encoding: string | undefined): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8');
  if (encoding !== 'quoted-printable') return body.trimEnd();
  const bytes = body.replace(/=\r\n/g, '').replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8').replaceAll('\r\n', '\n').trimEnd();
}
