import { DiscordChannel } from '../../../channels/discord/send';
import type { Directory } from '../../../plan/people/people';
import { codeOf, failureOf } from '../workshop';
import { discordServer, pinged } from './discord-server';
import { GATE_KEY, messageTo, never, question, secrets } from './messages';

const directory: Directory = {
  people: { chairman: { discord: '810000000000000001' }, cfo: { discord: '810000000000000002' }, ceo: {} },
  groups: { board: ['chairman', 'cfo', 'ceo'] },
};
const discord = new DiscordChannel(secrets, directory);

interface Sent {
  content: string;
  embeds: { description?: string; fields?: { name: string; value: string }[]; footer: { text: string } }[];
  allowed_mentions: object;
  components?: { components: { label: string; custom_id: string; style: number }[] }[];
}

async function sent(message: ReturnType<typeof question>, server: Awaited<ReturnType<typeof discordServer>>): Promise<Sent> {
  await discord.deliver({ ...message, spec: { ...message.spec, discord: server.url } }, never);
  return server.received.at(-1)?.body as Sent;
}

describe('a message to Discord', () => {
  test('asks with buttons that carry the choice and the gate, a link and command lines', async () => {
    const body = await sent(
      question({}, { gate: { approvers: ['chairman'], deadline: '2026-11-22T08:00:00.000Z', note: 'Started by @everyone (claimed).' } }),
      await discordServer(),
    );
    expect(body.components?.flatMap(({ components }) => components)).toEqual([
      { type: 2, style: 3, label: 'approve', custom_id: `thermidor:approve:${GATE_KEY}` },
      { type: 2, style: 4, label: 'reject', custom_id: `thermidor:reject:${GATE_KEY}` },
    ]);
    const [how, terminal] = body.embeds[0]?.fields ?? [];
    expect(how?.value).toContain('Note: Started by \\@everyone (claimed)');
    expect(how?.value).toContain(`https://decide.example.org/g/${GATE_KEY}`);
    expect(terminal?.value).toContain('thermidor approve daily_quant-20261121-7f3k2a approve --by chairman');
    expect(terminal?.value).toContain('temporal workflow signal');
  });

  test.each(['input', 'budget'] as const)(
    'has no buttons for a gate of kind %s, but the link and the line that answers it',
    async (kind) => {
      const body = await sent(question({}, { gate: { kind, choices: ['respond'] } }), await discordServer());
      expect(body.components).toBeUndefined();
      expect(JSON.stringify(body.embeds)).toContain(`/g/${GATE_KEY}`);
      expect(JSON.stringify(body.embeds)).toContain('temporal workflow signal');
    },
  );

  test.each(['message', 'closed', 'error'] as const)('of kind %s asks nothing', async (kind) => {
    const body = await sent(messageTo({}, { kind, body: 'it is over' }), await discordServer());
    expect(body.components).toBeUndefined();
    expect(body.embeds).toMatchObject([{ description: 'it is over' }]);
    expect(body.embeds[0]?.fields).toBeUndefined();
  });

  test('has buttons for all choices that a row, a message and an id can hold; approve and reject are always among them', async () => {
    const many = Array.from({ length: 40 }, (_, n) => `choice-${n}`);
    const body = await sent(question({}, { gate: { choices: [...many, 'approve', 'x'.repeat(90), 'reject'] } }), await discordServer());
    const labels = body.components?.flatMap(({ components }) => components.map(({ label }) => label));
    expect(labels).toEqual([...many.slice(0, 23), 'approve', 'reject']);
  });

  test.each([
    ['@chairman', ['810000000000000001']],
    ['@board', ['810000000000000001', '810000000000000002']],
    ['<@42> <@&43>', ['42', '43']],
    ['@here', ['here']],
    ['@ceo', []],
    ['@stranger', []],
  ])('calls whom the channel’s mention %s names', async (mention, expected) => {
    expect(pinged(await sent(question({ mention }), await discordServer()))).toEqual(expected);
  });

  test('lets no text of an agent ping, format or hide where a link leads', async () => {
    const body =
      '@everyone <@42> <@&43> <#1> [approved](https://evil.example) **done** `code` ||x|| # big\n> quoted ~~no~~ https://a.example/b_c';
    const said = await sent(question({ mention: '@chairman' }, { body, gate: { choices: ['approve', '<@44>'] } }), await discordServer());
    expect(said.allowed_mentions).toEqual({ parse: [], users: ['810000000000000001'], roles: [] });
    const shown = said.embeds[0]?.description ?? '';
    expect(shown.replace(/\\[^\w\s]/g, '')).not.toMatch(/[@<>[\]*`|#~]/);
    expect(shown.replace(/\\(.)/g, '$1')).toBe(body);
    expect(shown).toContain('https://a.example/b_c');
  });

  test('cuts what is too long, and says so', async () => {
    const body = Array.from({ length: 500 }, (_, n) => `line ${n} *of* [many] 🦀`).join('\n');
    const long = question(
      { mention: `@${'x'.repeat(3000)}` },
      { body, gate: { approvers: Array(400).fill('somebody_known'), step: 's'.repeat(1500) } },
    );
    const { description = '', fields } = (await sent(long, await discordServer())).embeds[0] ?? {};
    expect(description.endsWith('has the whole text)')).toBe(true);
    expect(description).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])|\\…/);
    expect(fields?.map(({ name }) => name)).toEqual(['How to answer', 'From a terminal']);
  });

  test('takes a choice for a choice whatever it is called', async () => {
    const body = await sent(question({}, { gate: { choices: ['constructor'] } }), await discordServer());
    expect(body.components?.flatMap(({ components }) => components)).toMatchObject([{ label: 'constructor', style: 2 }]);
  });

  test('goes without buttons to a hook that takes none', async () => {
    const server = await discordServer();
    server.answers.push({ status: 400, body: '{"code":50035,"message":"Invalid Form Body"}' });
    const body = await sent(question({}), server);
    expect(server.received).toHaveLength(2);
    expect(body.components).toBeUndefined();
    expect(body.embeds[0]?.fields?.[0]?.value).toContain(GATE_KEY);
  });

  test('is refused for good if Discord does not take it without buttons either', async () => {
    const server = await discordServer();
    server.answers.push({ status: 400 }, { status: 400 });
    expect(await codeOf(sent(question({}), server))).toBe('channel.refused');
  });

  test.each([
    ['the body', '1', '{"retry_after":64.57,"global":false}', 64_570],
    ['the header', '90', '{"retry_after":64.57}', 90_000],
    ['the header of a proxy', '5', '<html>', 5000],
  ])('waits after a 429 as long as %s says', async (_, header, body, waitMs) => {
    const server = await discordServer();
    server.answers.push({ status: 429, headers: { 'retry-after': header }, body });
    expect(await failureOf(sent(question({}), server))).toMatchObject({ code: 'channel.unavailable', retryAfterMs: waitMs });
  });

  test.each([
    [404, 'channel.refused'],
    [401, 'channel.refused'],
    [500, 'channel.unavailable'],
    [502, 'channel.unavailable'],
  ])('after %d is %s, and the failure names no address', async (status, code) => {
    const server = await discordServer();
    server.answers.push({ status, body: server.url });
    const failure = await failureOf(sent(question({}), server));
    expect(failure.code).toBe(code);
    expect(JSON.stringify([failure.message, failure.details])).not.toContain('a-token_of-Discord');
  });

  test('is unavailable if Discord hangs', async () => {
    const server = await discordServer();
    server.answers.push({ status: 0 });
    const hasty = new DiscordChannel(secrets, directory, 50);
    expect(await codeOf(hasty.deliver(question({ discord: server.url }), never))).toBe('channel.unavailable');
  });
});
