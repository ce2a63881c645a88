import { createServer } from 'node:net';
import { LocalSecrets } from '../../../activities/adapters/secrets';
import { MailChannel } from '../../../channels/mail/send';
import type { Directory } from '../../../plan/people/people';
import { codeOf, failureOf } from '../workshop';
import { portOf } from './hook-server';
import { mailServer, PASSWORD, refusing } from './mail-server';
import { GATE_KEY, messageTo, never, question, secrets } from './messages';

const FROM = 'Thermidor <thermidor@example.org>';
const email = ['chair@example.org', 'cfo@example.org'];

function mail(smtp: string | number, timeoutMs?: number): MailChannel {
  return new MailChannel(secrets, { smtp: typeof smtp === 'number' ? `smtp://127.0.0.1:${smtp}` : smtp, from: FROM }, DIRECTORY, timeoutMs);
}

const DIRECTORY: Directory = {
  people: { chair: { email: 'chair@example.org' }, cfo: { email: 'cfo@example.org' }, mute: {} },
  groups: { board: ['chair', 'cfo'] },
};

describe('a message by mail', () => {
  test('is one mail to all addresses of the channel, with the link and the command lines', async () => {
    const { port, mails } = await mailServer();
    await mail(port).deliver(question({ email }, { body: 'Größe: 2 BTC?' }), never);
    expect(mails).toMatchObject([{ from: 'thermidor@example.org', to: email }]);
    expect(mails[0]?.text).toContain('Größe: 2 BTC?');
    expect(mails[0]?.text).toContain(`https://decide.example.org/g/${GATE_KEY}`);
    expect(mails[0]?.text).toContain('thermidor approve daily_quant-20261121-7f3k2a approve');
    expect(mails[0]?.headers.get('auto-submitted')).toEqual(['auto-generated']);
  });

  test('goes to people and groups by name, each once', async () => {
    const { port, mails } = await mailServer();
    await mail(port).deliver(messageTo({ email: ['board', 'chair', 'desk@example.org'] }), never);
    expect(mails).toMatchObject([{ to: ['chair@example.org', 'cfo@example.org', 'desk@example.org'] }]);
  });

  test('is refused for good if the settings know no address of a person', async () => {
    const failure = await failureOf(mail(1).deliver(messageTo({ email: ['mute'] }), never));
    expect(failure).toMatchObject({ code: 'channel.refused', message: expect.stringContaining('mute') });
  });

  test('has the same Message-ID whenever it is sent again, and another one than other messages', async () => {
    const { port, mails } = await mailServer();
    const message = messageTo({ email });
    for (const sent of [message, message, { ...message, idempotencyKey: 'other' }]) await mail(port).deliver(sent, never);
    const [first, again, other] = mails.map(({ headers }) => headers.get('message-id')?.[0]);
    expect(first).toMatch(/^<[0-9a-f]{40}@example\.org>$/);
    expect(again).toBe(first);
    expect(other).not.toBe(first);
  });

  test('logs in if the address has a user and a password, which may be secrets', async () => {
    const { port, users, mails } = await mailServer({ authOptional: false });
    const hidden = new LocalSecrets({
      SMTP: `smtp://me:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}`,
      FROM,
      CHAIR: 'chair@example.org',
    });
    const channel = new MailChannel(hidden, { smtp: 'secret://env/SMTP', from: 'secret://env/FROM' });
    await channel.deliver(messageTo({ email: ['secret://env/CHAIR'] }), never);
    expect([users, mails.map(({ to }) => to)]).toEqual([['me'], [['chair@example.org']]]);
  });

  test('is refused for good with a wrong password, which the failure does not name', async () => {
    const { port } = await mailServer({ authOptional: false });
    const failure = await failureOf(mail(`smtp://me:wrong-one@127.0.0.1:${port}`).deliver(messageTo({ email }), never));
    expect(failure.code).toBe('channel.refused');
    expect(JSON.stringify([failure.message, failure.details])).not.toMatch(/wrong-one|127\.0\.0\.1|example\.org/);
  });

  test.each([
    ['of an address that does not exist', { 'cfo@example.org': 550 }, 'channel.refused', 1],
    ['of all addresses', { 'cfo@example.org': 550, 'chair@example.org': 551 }, 'channel.refused', 0],
    ['for now', { 'cfo@example.org': 450, 'chair@example.org': 451 }, 'channel.unavailable', 0],
    ['of one address for now', { 'cfo@example.org': 450 }, 'channel.unavailable', 1],
    ['of both, once for now', { 'cfo@example.org': 550, 'chair@example.org': 450 }, 'channel.unavailable', 0],
  ])('that is refused because %s: %j is %s', async (_, statuses, code, taken) => {
    const { port, mails } = await mailServer(refusing(statuses));
    const failure = await failureOf(mail(port).deliver(messageTo({ email }), never));
    expect([failure.code, mails.length]).toEqual([code, taken]);
    expect(failure.message).not.toContain('example.org');
  });

  test.each([
    [451, 'channel.unavailable'],
    [554, 'channel.refused'],
  ])('that the server answers with %d is %s', async (responseCode, code) => {
    const { port } = await mailServer({
      onData: (stream, _session, done) => {
        stream.resume().on('end', () => done(Object.assign(new Error('no'), { responseCode })));
      },
    });
    expect(await codeOf(mail(port).deliver(messageTo({ email }), never))).toBe(code);
  });

  test('is unavailable if nobody listens, and if the server hangs', async () => {
    const { port, close } = await mailServer();
    await close();
    expect(await codeOf(mail(port).deliver(messageTo({ email }), never))).toBe('channel.unavailable');
    const silent = createServer();
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    try {
      expect(await codeOf(mail(portOf(silent.address()), 50).deliver(messageTo({ email }), never))).toBe('channel.unavailable');
    } finally {
      silent.close();
    }
  });

  test('ends with the reason of the one who calls it off', async () => {
    const silent = createServer();
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const called = new AbortController();
    silent.on('connection', () => called.abort(new Error('the worker stops')));
    try {
      await expect(mail(portOf(silent.address())).deliver(messageTo({ email }), called.signal)).rejects.toThrow('the worker stops');
    } finally {
      silent.close();
    }
  });

  test('does not send a password in the clear to another machine, unless the address asks for it', async () => {
    const { port, users } = await mailServer();
    // This name leads to this machine too, but the adapter does not know that.
    const other = `smtp://me:${encodeURIComponent(PASSWORD)}@0.0.0.0:${port}`;
    expect(await codeOf(mail(other).deliver(messageTo({ email }), never))).toBe('channel.refused');
    expect(users).toEqual([]);
    await mail(`${other}?requireTLS=false`).deliver(messageTo({ email }), never);
    expect(users).toEqual(['me']);
  });

  test('lets no text of an agent into the headers', async () => {
    const { port, mails } = await mailServer();
    const body = 'Ship it?\r\nBcc: evil@example.com\r\n\r\nTo: evil@example.com\n.\nMAIL FROM:<evil@example.com>';
    await mail(port).deliver(question({ email }, { body: `Subject\u2028Bcc: evil@example.com ${'é'.repeat(300)}\n${body}` }), never);
    const [{ headers, to, text } = { headers: new Map(), to: [], text: '' }] = mails;
    expect(mails).toHaveLength(1);
    expect(to).toEqual(email);
    expect([...headers.keys()].sort()).toEqual(
      ['auto-submitted', 'content-transfer-encoding', 'content-type', 'date', 'from', 'message-id', 'mime-version', 'subject', 'to'].sort(),
    );
    expect(headers.get('subject')).toHaveLength(1);
    expect(text).toContain('\nMAIL FROM:<evil@example.com>');
  });

  test('with 500 lines arrives whole', async () => {
    const { port, mails } = await mailServer();
    const body = Array.from({ length: 500 }, (_, n) => `line ${n} ${'x'.repeat(n)}`).join('\n');
    await mail(port).deliver(messageTo({ email }, { body }), never);
    expect(mails[0]?.text).toBe(body);
  });

  test.each(['https://mail.example.org', 'mail.example.org:587', ''])(
    'has no server at %j, and the failure does not quote it',
    async (smtp) => {
      const failure = await failureOf(mail(smtp).deliver(messageTo({ email }), never));
      expect(failure.code).toBe('channel.refused');
      expect(failure.message).not.toContain('example.org');
    },
  );

  test('says so if the channel has addresses and the worker no mail server', async () => {
    const none = new MailChannel(secrets, undefined);
    expect([none.serves(messageTo({ email })), none.serves(messageTo({ email: [] }))]).toEqual([true, false]);
    expect(await codeOf(none.deliver(messageTo({ email }), never))).toBe('channel.refused');
  });
});
