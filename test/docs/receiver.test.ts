import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { LocalSecrets } from '../../activities/adapters/secrets';
import { WebhookChannel } from '../../channels/webhook/send';
import { messageTo, never } from '../activities/channels/messages';
import { failureOf } from '../activities/workshop';
import { scratchFolder } from '../support/scratch-folder';
import { blocksOf, readPage } from './page';

/** The receiver that docs/channels.md prints, as a reader would copy it. */
describe('the receiver of a webhook in docs/channels.md', () => {
  const folder = scratchFolder();
  const channel = new WebhookChannel(new LocalSecrets({}));
  let receiver: ChildProcess;
  let lines: Interface;
  let webhook: string;

  beforeAll(async () => {
    const [text = ''] = blocksOf(readPage('docs/channels.md'), 'js');
    const path = join(folder, 'receiver.mjs');
    writeFileSync(path, text);
    receiver = spawn(process.execPath, [path], { env: { DESK_KEY: 'shared', PORT: '0' }, stdio: ['ignore', 'pipe', 'inherit'] });
    if (!receiver.stdout) throw new Error('no output');
    lines = createInterface(receiver.stdout);
    const [line] = await once(lines, 'line');
    webhook = `http://127.0.0.1:${/\d+$/.exec(String(line))?.[0]}`;
  });
  afterAll(async () => {
    receiver.kill();
    await once(receiver, 'exit');
  });

  test('takes what is signed with its secret, and shows a message once', async () => {
    const said: string[] = [];
    lines.on('line', (line) => said.push(line));
    const first = messageTo({ webhook, webhookSecret: 'shared' }, { body: 'Ship “it”? 🦀' });
    await channel.deliver(first, never);
    await channel.deliver(first, never);
    await channel.deliver({ ...messageTo(first.spec ?? {}, { body: 'Next' }), idempotencyKey: 'another' }, never);
    while (said.length < 2) await once(lines, 'line');
    expect(said).toEqual(['Ship “it”? 🦀', 'Next']);
  });

  test.each([{ webhookSecret: 'another' }, {}])('refuses what is signed otherwise: %j', async (spec) => {
    const failure = await failureOf(channel.deliver(messageTo({ webhook, ...spec }), never));
    expect(failure).toMatchObject({ code: 'channel.refused', details: { status: 401 } });
  });
});
