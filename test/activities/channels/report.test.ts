import { createServer } from 'node:http';
import type { AttachedReport, ChannelAdapter, ChannelMessage } from '../../../activities/channel-port';
import { actionContent } from '../../../activities/gates/action-content';
import { notify } from '../../../activities/gates/notify';
import { loadRun } from '../../../activities/run/load-run';
import { discordMessage } from '../../../channels/discord/message';
import { DiscordChannel } from '../../../channels/discord/send';
import { MailChannel } from '../../../channels/mail/send';
import { slackMessage } from '../../../channels/slack/message';
import { WebhookChannel } from '../../../channels/webhook/send';
import { NOBODY } from '../../../plan/people/people';
import type { NotifyStep } from '../../../plan/steps/step';
import { KEY, workshop } from '../workshop';
import { portOf } from './hook-server';
import { mailServer } from './mail-server';
import { messageTo, never, secrets } from './messages';

/** The output that a notify step names goes with its message. */
const STEP: NotifyStep = { id: 'tell', kind: 'notify', channel: '#desk', message: ['Ready'], report: 'draft', inputs: ['draft'] };
const REPORT: AttachedReport = { name: 'Brief.json', mediaType: 'application/json', text: '{"a":1}', command: 'thermidor show r draft' };

async function sentWith(output: string | undefined, more: { name?: string; mediaType?: string; step?: Partial<NotifyStep> } = {}) {
  const sent: ChannelMessage[] = [];
  const channel: ChannelAdapter = { name: 'kept', serves: () => true, deliver: async (message) => void sent.push(message) };
  const shop = workshop({ channelAdapters: [channel], secrets: { resolve: async () => 'hunter22' } });
  const step = { ...STEP, ...more.step };
  await shop.open([step], { args: { key: { secret: true } } }, undefined, { key: 'secret://env/KEY' });
  const { name = 'Brief.json', mediaType = 'application/json' } = more;
  const draft = output === undefined ? undefined : await shop.artifacts.put(output, { mediaType, name });
  const input = { run: KEY.run, channel: step.channel, ...(draft ? { inputs: { draft } } : {}) };
  const { message } = await notify(shop.toolbox, shop.call('tell#1~1'), input);
  return { sent: sent[0], message, content: (await actionContent(shop.toolbox, await loadedRun(shop), step, input)).sha256 };
}

const loadedRun = ({ toolbox }: ReturnType<typeof workshop>) => loadRun(toolbox, KEY);

describe('the report of a notify step', () => {
  test('is the output as it is in the store, by its own name', async () => {
    const { sent, message } = await sentWith('{"a":1.10}');
    expect(message).toBe('Ready');
    expect(sent?.report).toEqual({
      ...{ name: 'Brief.json', mediaType: 'application/json', text: '{"a":1.10}' },
      command: `thermidor show ${KEY.workflowId} draft`,
    });
  });

  test('is text without secrets', async () => {
    expect((await sentWith('it is hunter22', { mediaType: 'text/plain', name: 'draft.txt' })).sent?.report?.text).toBe('it is ***');
  });

  test.each([
    ['a/../../b c.txt', 'b_c.txt'],
    ['..', 'report.txt'],
  ])('has the name of a file alone: %s', async (name, as) => {
    expect((await sentWith('x', { name, mediaType: 'text/plain' })).sent?.report?.name).toBe(as);
  });

  test('that is not there is said so, and the message goes out', async () => {
    const { sent, message } = await sentWith(undefined);
    expect(message).toBe('Ready\n(no report: step draft has no output)');
    expect(sent).not.toHaveProperty('report');
  });

  test('is part of what a person says yes to', async () => {
    const digests = await Promise.all([sentWith('{"a":1}'), sentWith('{"a":2}'), sentWith('{"a":1}')]);
    expect(digests[0]?.content).not.toBe(digests[1]?.content);
    expect(digests[0]?.content).toBe(digests[2]?.content);
  });
});

const big: AttachedReport = { ...REPORT, text: 'x'.repeat(9 * 1024 * 1024) };

describe('a report reaches', () => {
  test('a mailbox as an attachment, unless it is too large', async () => {
    const { port, mails } = await mailServer();
    const mail = new MailChannel(secrets, { smtp: `smtp://127.0.0.1:${port}`, from: 'a@example.org' }, NOBODY);
    for (const report of [REPORT, big]) await mail.deliver({ ...messageTo({ email: ['b@example.org'] }), report }, never);
    const [small, large] = mails;
    expect(small?.headers.get('content-type')?.[0]).toContain('multipart/mixed');
    expect(small?.text).toMatch(/filename="?Brief\.json/);
    expect(large?.text).toContain('thermidor show r draft');
    expect(large?.text.length).toBeLessThan(10_000);
  });

  test('Discord as a file, unless it is too large', async () => {
    const got: { payload: { content: string }; file: string; name: string }[] = [];
    const server = createServer(async (request, response) => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      const type = request.headers['content-type'] ?? '';
      const form = await new Response(Buffer.concat(parts), { headers: { 'content-type': type } }).formData();
      const file = form.get('files[0]') as File;
      got.push({ payload: JSON.parse(String(form.get('payload_json'))), file: await file.text(), name: file.name });
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const discord = `http://127.0.0.1:${portOf(server.address())}/api/webhooks/1/token`;
    await new DiscordChannel(secrets).deliver({ ...messageTo({ discord }), report: REPORT }, never);
    server.closeAllConnections();
    server.close();
    expect(got).toMatchObject([{ payload: { content: expect.stringContaining('Message') }, file: '{"a":1}', name: 'Brief.json' }]);
    expect(discordMessage({ ...messageTo({}), report: big }, NOBODY).embeds[0]?.description).toContain('thermidor show r draft');
  });

  test('Slack, which takes no files, as text, cut within its limits', () => {
    const textOf = (report: AttachedReport): string =>
      slackMessage({ ...messageTo({}), report }, NOBODY)
        .blocks.flatMap((block) => (block.type === 'section' ? [block.text.text] : []))
        .find((text) => text.startsWith('Brief.json')) ?? '';
    expect(textOf({ ...REPORT, text: 'a <b>\u001b[2J' })).toBe('Brief.json\n```\na &lt;b&gt;\ufffd[2J\n```');
    expect(textOf(big).length).toBeLessThanOrEqual(3000);
    expect(textOf(big)).toContain('all of it: thermidor show r draft');
  });

  test('a webhook in a field of its own, cut', async () => {
    const bodies: { report?: { name: string; content: string; content_cut?: string } }[] = [];
    const server = createServer(async (request, response) => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      bodies.push(JSON.parse(Buffer.concat(parts).toString('utf8')));
      response.writeHead(204).end();
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const hook = new WebhookChannel(secrets);
    for (const report of [REPORT, big])
      await hook.deliver({ ...messageTo({ webhook: `http://127.0.0.1:${portOf(server.address())}/` }), report }, never);
    server.closeAllConnections();
    server.close();
    expect(bodies[0]?.report).toEqual({ name: 'Brief.json', media_type: 'application/json', content: '{"a":1}' });
    expect(bodies[1]?.report?.content.length).toBeLessThan(100_000);
    expect(bodies[1]?.report?.content_cut).toContain('thermidor show r draft');
  });
});
