import type { SlackMessage } from '../../../channels/slack/message';
import { SlackChannel } from '../../../channels/slack/send';
import type { Directory } from '../../../plan/people/people';
import { codeOf, failureOf } from '../workshop';
import { GATE_KEY, messageTo, never, question, secrets } from './messages';
import { controls, slackServer } from './slack-server';

const directory: Directory = {
  people: { chairman: { slack: 'U0CHAIR' }, cfo: { slack: 'U0CFO' } },
  groups: { board: ['chairman', 'cfo'] },
};
const slack = new SlackChannel(secrets, directory);
const LINK = `https://decide.example.org/g/${GATE_KEY}|Answer here`;

async function sent(message: ReturnType<typeof question>, server: Awaited<ReturnType<typeof slackServer>>): Promise<SlackMessage> {
  await slack.deliver({ ...message, spec: { ...message.spec, slack: server.url } }, never);
  return server.received.at(-1)?.body as SlackMessage;
}

function buttonsIn({ blocks }: SlackMessage) {
  return blocks.flatMap((block) => (block.type === 'actions' ? block.elements : []));
}

function sections({ blocks }: SlackMessage): string[] {
  return blocks.flatMap((block) => (block.type === 'section' ? [block.text.text] : []));
}

describe('a message to Slack', () => {
  test('asks with buttons that carry the choice and the gate, a link and command lines', async () => {
    const body = await sent(
      question({}, { gate: { choices: ['approve', 'revise', 'reject'], approvers: ['cfo'], note: 'Started by <!here> (claimed).' } }),
      await slackServer(),
    );
    expect(buttonsIn(body)).toMatchObject([
      { action_id: 'thermidor:approve', value: `thermidor:approve:${GATE_KEY}`, style: 'primary', text: { text: 'approve' } },
      { action_id: 'thermidor:revise', value: `thermidor:revise:${GATE_KEY}`, text: { text: 'revise' } },
      { action_id: 'thermidor:reject', value: `thermidor:reject:${GATE_KEY}`, style: 'danger', text: { text: 'reject' } },
    ]);
    expect(controls(body)).toEqual([LINK]);
    expect(sections(body).join('\n')).toContain('Note: Started by &lt;!here&gt; (claimed).');
    expect(sections(body).join('\n')).toContain('thermidor respond daily_quant-20261121-7f3k2a approve --response revise --by cfo');
  });

  test.each(['input', 'budget'] as const)(
    'has no buttons for a gate of kind %s, but the link and the line that answers it',
    async (kind) => {
      const body = await sent(question({}, { gate: { kind, choices: ['respond'] } }), await slackServer());
      expect(buttonsIn(body)).toEqual([]);
      expect(controls(body)).toEqual([LINK]);
      expect(sections(body).join('\n')).toContain('temporal workflow signal');
    },
  );

  test('takes a choice for a choice whatever it is called', async () => {
    const body = await sent(question({ mention: 'constructor' }, { gate: { choices: ['constructor'] } }), await slackServer());
    expect(buttonsIn(body)).toMatchObject([{ action_id: 'thermidor:constructor' }]);
    expect(body.text).toMatch(/^constructor /);
  });

  test('that asks nothing is its text alone', async () => {
    const body = await sent(messageTo({}, { kind: 'error', body: 'it broke off' }), await slackServer());
    expect(sections(body)).toEqual(['*Failure: run daily_quant-20261121-7f3k2a*', 'it broke off']);
    expect(buttonsIn(body)).toEqual([]);
  });

  test.each([
    ['@chairman', ['@U0CHAIR']],
    ['@board', ['@U0CHAIR', '@U0CFO']],
    ['<@U1> <!subteam^S2>', ['@U1', '!subteam^S2']],
    ['@here', ['!here']],
    ['@stranger <script>', []],
  ])('calls whom the channel’s mention %s names', async (mention, expected) => {
    const body = await sent(messageTo({ mention }), await slackServer());
    // It is sent twice: for the notification, and in the message.
    expect(controls(body)).toEqual([...expected, ...expected]);
  });

  test('lets no text of an agent make a link, a mention or a command', async () => {
    const body = '<https://evil.example|approve here> <!channel> <@U0CHAIR> &lt;!here&gt; <mailto:x|y> a & b';
    const said = await sent(
      question({}, { body, gate: { choices: ['approve', '<!here>'], approvers: ['<!channel>'] } }),
      await slackServer(),
    );
    expect(buttonsIn(said).map(({ text }) => text.type)).toEqual(['plain_text', 'plain_text']);
    expect(controls([said.text, sections(said)])).toEqual([LINK]);
    expect(sections(said)[1]).toContain('&amp;lt;!here&amp;gt;');
  });

  test('cuts what is too long, and says so', async () => {
    const body = Array.from({ length: 500 }, (_, n) => `line ${n} <of> many & more 🦀`).join('\n');
    const many = Array.from({ length: 60 }, (_, n) => `choice-${n}`);
    const said = await sent(
      question({ mention: 'x'.repeat(4000) }, { body, gate: { choices: many, step: 's'.repeat(2000) } }),
      await slackServer(),
    );
    expect(sections(said)[1]).toMatch(/has the whole text\)$/);
    expect(sections(said)[1]).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/);
    expect(buttonsIn(said)).toHaveLength(25);
  });

  test.each([
    [429, 'channel.unavailable', 30_000],
    [500, 'channel.unavailable', undefined],
    [400, 'channel.refused', undefined],
    [403, 'channel.refused', undefined],
    [410, 'channel.refused', undefined],
  ])('after %d is %s, and the failure names no address', async (status, code, waitMs) => {
    const server = await slackServer();
    server.answers.push({ status, body: 'invalid_payload', ...(waitMs === undefined ? {} : { headers: { 'retry-after': '30' } }) });
    const failure = await failureOf(sent(question({}), server));
    expect([failure.code, failure.retryAfterMs]).toEqual([code, waitMs]);
    expect(JSON.stringify([failure.message, failure.details])).not.toContain('aTokenOfSlack');
  });

  test('is unavailable if Slack hangs or nobody listens', async () => {
    const server = await slackServer();
    server.answers.push({ status: 0 });
    const hasty = new SlackChannel(secrets, directory, 50);
    expect(await codeOf(hasty.deliver(question({ slack: server.url }), never))).toBe('channel.unavailable');
    server.close();
    expect(await codeOf(hasty.deliver(question({ slack: server.url }), never))).toBe('channel.unavailable');
  });
});
