import type { ChannelAdapter, ChannelMessage } from '../../../activities/channel-port';
import { notify } from '../../../activities/gates/notify';
import { ConsoleChannel } from '../../../channels/console/send';
import { DiscordChannel } from '../../../channels/discord/send';
import { SlackChannel } from '../../../channels/slack/send';
import { WebhookChannel } from '../../../channels/webhook/send';
import type { NotifyInput } from '../../../plan/people/gate-activities';
import type { GateLink, GateNotice } from '../../../plan/people/notice';
import { ThermidorFailure } from '../../../plan/run/failure';
import { LedgerFiles } from '../../../records/directory/ledger-files';
import { codeOf, failureOf, KEY, scratchFolder, workshop } from '../workshop';
import { discordServer } from './discord-server';
import { secrets } from './messages';
import { slackServer } from './slack-server';
import { webhookServer } from './webhook-server';

const CALL = 'approve#1~1/notify-3';
const GATE = {
  step: 'approve',
  kind: 'approval',
  question: 'Buy 2 BTC?',
  choices: ['approve', 'reject'],
  shownSha256: 'cd'.repeat(32),
  answer: 'temporal workflow signal -w demo --name approve',
} as const satisfies GateNotice;
const INPUT: NotifyInput = { run: KEY.run, channel: '#approvals', message: 'Buy 2 BTC?', kind: 'gate', gate: GATE };

/** An adapter that keeps what it delivers, and fails first with each of the given failures in turn. */
function adapter(name: string, ...failures: Error[]): ChannelAdapter & { sent: ChannelMessage[]; asked: number } {
  return {
    name,
    sent: [],
    asked: 0,
    serves: () => true,
    async deliver(message) {
      this.asked += 1;
      const failure = failures.shift();
      if (failure) throw failure;
      this.sent.push(message);
    },
  };
}

const down = (afterMs?: number) => new ThermidorFailure('channel.unavailable', 'it is down', {}, afterMs);
const refused = () => new ThermidorFailure('channel.refused', 'it does not want it');

async function shopWith(channelAdapters: ChannelAdapter[], more: Parameters<typeof workshop>[0] = {}) {
  const shop = workshop({ channelAdapters, ...more });
  await shop.open([]);
  return shop;
}

describe('a message that is sent again', () => {
  test('after a crash between the delivery and its record has the same key', async () => {
    const root = scratchFolder();
    class DyingLedger extends LedgerFiles {
      override async putIfAbsent(...[run, name, value]: Parameters<LedgerFiles['putIfAbsent']>) {
        if (name.includes('/delivered/')) throw new Error('killed');
        return await super.putIfAbsent(run, name, value);
      }
    }
    const hook = await webhookServer();
    const channels = { '#approvals': { webhook: hook.url } };
    const channelAdapters = [new WebhookChannel(secrets)];
    const before = workshop({ channelAdapters, channels, ledger: new DyingLedger(root) }, root);
    await before.open([]);
    await expect(notify(before.toolbox, before.call(CALL), INPUT)).rejects.toThrow('killed');
    const after = workshop({ channelAdapters, channels }, root);
    await notify(after.toolbox, after.call(CALL, { attempt: 2 }), INPUT);
    await notify(after.toolbox, after.call(CALL, { attempt: 3 }), INPUT);
    expect(hook.received.map(({ headers }) => headers['idempotency-key'])).toEqual(Array(2).fill(`${KEY.workflowId}/${KEY.run}/${CALL}`));
    expect(hook.received[1]?.text).toBe(hook.received[0]?.text);
  });

  test('goes only to those that have not taken it', async () => {
    const [good, bad] = [adapter('good'), adapter('bad', down(), down())];
    const { toolbox, call } = await shopWith([bad, good]);
    expect(await codeOf(notify(toolbox, call(CALL), INPUT))).toBe('channel.unavailable');
    expect(await codeOf(notify(toolbox, call(CALL, { attempt: 2 }), INPUT))).toBe('channel.unavailable');
    expect((await notify(toolbox, call(CALL, { attempt: 3 }), INPUT)).deliveredTo).toEqual(['bad', 'good']);
    expect([good.asked, bad.asked]).toEqual([1, 3]);
  });

  test('is not offered again to a service that refused it, and the others still get theirs', async () => {
    const [no, later] = [adapter('no', refused()), adapter('later', down())];
    const { toolbox, call } = await shopWith([no, later]);
    expect(await codeOf(notify(toolbox, call(CALL), INPUT))).toBe('channel.unavailable');
    expect(await codeOf(notify(toolbox, call(CALL, { attempt: 2 }), INPUT))).toBe('channel.refused');
    expect([no.asked, later.asked, later.sent.length]).toEqual([1, 2, 1]);
  });

  test('is offered again to a service that refused it once somebody has the activity done again', async () => {
    const mended = adapter('mended', refused());
    const { toolbox, call } = await shopWith([mended]);
    expect(await codeOf(notify(toolbox, call(CALL), INPUT))).toBe('channel.refused');
    await notify(toolbox, call(CALL), INPUT);
    expect(mended.sent).toHaveLength(1);
  });
});

describe('a channel with several services', () => {
  test('waits for none of them before it asks the next', async () => {
    const second = adapter('second');
    const first: ChannelAdapter = {
      name: 'first',
      serves: () => true,
      deliver: async () => {
        while (second.asked === 0) await new Promise((resolve) => setImmediate(resolve));
      },
    };
    const { toolbox, call } = await shopWith([first, second]);
    expect((await notify(toolbox, call(CALL), INPUT)).deliveredTo).toEqual(['first', 'second']);
  });

  test('says of each what it failed with, and waits as long as the slowest asks for', async () => {
    const { toolbox, call } = await shopWith([adapter('no', refused()), adapter('a', down(2000)), adapter('b', down(9000))]);
    const failure = await failureOf(notify(toolbox, call(CALL), INPUT));
    expect(failure).toMatchObject({ code: 'channel.unavailable', retryAfterMs: 9000 });
    expect(failure.message.split('; ')).toEqual(['it does not want it', 'it is down', 'it is down']);
  });

  test('delivers by all that it has while one is down', async () => {
    const [discord, slack, hook] = [await discordServer(), await slackServer(), await webhookServer()];
    slack.answers.push({ status: 503 });
    const channels = { '#approvals': { discord: discord.url, slack: slack.url, webhook: hook.url, mention: '@chairman' } };
    const channelAdapters = [new DiscordChannel(secrets), new SlackChannel(secrets), new WebhookChannel(secrets)];
    const { toolbox, call } = await shopWith(channelAdapters, { channels });
    expect(await codeOf(notify(toolbox, call(CALL), INPUT))).toBe('channel.unavailable');
    await notify(toolbox, call(CALL, { attempt: 2 }), INPUT);
    expect([discord, slack, hook].map(({ received }) => received.length)).toEqual([1, 2, 1]);
  });
});

describe('a message that asks', () => {
  test('carries the gate’s key, its page and the ways to answer', async () => {
    const kept = adapter('kept');
    const links: GateLink[] = [];
    const keyFor = async (link: GateLink) => {
      links.push(link);
      return 'the-key';
    };
    const { toolbox, call } = await shopWith([kept], { links: { keyFor }, callbackUrl: 'https://decide.example.org/' });
    const output = await notify(toolbox, call(CALL), INPUT);
    expect(links).toEqual([{ ...GATE, run: KEY.workflowId, channel: '#approvals', zone: 'UTC' }]);
    const [{ gate, text } = { gate: undefined, text: '' }] = kept.sent;
    expect(gate).toMatchObject({ ...GATE, key: 'the-key', url: 'https://decide.example.org/g/the-key' });
    for (const way of [gate?.url, GATE.answer, 'thermidor approve', 'thermidor reject']) expect(text).toContain(way);
    // Results are in the run's history, where every reader would find the key.
    expect(JSON.stringify(output)).not.toContain('the-key');
  });

  test('says how to answer once, even if the interpreter ends the message with it', async () => {
    const kept = adapter('kept');
    const { toolbox, call } = await shopWith([kept]);
    const message = `Still waiting: Buy 2 BTC?\n${GATE.answer}`;
    const output = await notify(toolbox, call(CALL), { ...INPUT, kind: 'reminder', message });
    expect(kept.sent[0]?.body).toBe('Still waiting: Buy 2 BTC?');
    expect(kept.sent[0]?.text.split(GATE.answer)).toHaveLength(2);
    expect(output.message).toBe(message);
  });

  test('names no way that would be refused if a claimed name is not enough', async () => {
    const kept = adapter('kept');
    const { toolbox, call } = await shopWith([kept]);
    const { answer: _plain, ...gate } = GATE;
    await notify(toolbox, call(CALL), {
      ...INPUT,
      gate: { ...gate, approvers: ['ann'], identity: 'proven', note: 'Started by bob (claimed).' },
    });
    const said = kept.sent[0]?.text ?? '';
    expect(said).toContain('thermidor approve demo-20261121-abc123 approve --by ann --token secret://env/');
    expect(said).not.toContain('temporal workflow');
    expect(said).toContain('Note: Started by bob (claimed).');
  });

  test('has no page if the worker does not know its address', async () => {
    const kept = adapter('kept');
    const { toolbox, call } = await shopWith([kept]);
    await notify(toolbox, call(CALL), INPUT);
    expect(kept.sent[0]?.gate).not.toHaveProperty('url');
  });

  test.each(['closed', 'error', 'message'] as const)('is none of kind %s', async (kind) => {
    const kept = adapter('kept');
    const { toolbox, call } = await shopWith([kept]);
    await notify(toolbox, call(CALL), { ...INPUT, kind });
    expect(kept.sent).toMatchObject([{ kind, text: 'Buy 2 BTC?' }]);
    expect(kept.sent[0]?.gate).toBeUndefined();
  });

  test('leaves its key out of the worker’s log', async () => {
    const lines: string[] = [];
    const { toolbox, call } = await shopWith([new ConsoleChannel((line) => lines.push(line))], {
      links: { keyFor: async () => 'the-key' },
      callbackUrl: 'https://decide.example.org',
    });
    await notify(toolbox, call(CALL), INPUT);
    expect(lines[0]).toContain('thermidor approve');
    expect(lines[0]).not.toContain('the-key');
    expect(
      lines[0]
        ?.split('\n')
        .slice(1)
        .every((line) => line.startsWith('  ')),
    ).toBe(true);
  });

  test('has command lines that a shell takes as they are', async () => {
    const kept = adapter('kept');
    const { toolbox, call } = await shopWith([kept]);
    const gate = { ...GATE, step: "each[2]/o'brien", choices: ['approve', 'not yet; rm -rf /'], approvers: ['$(id)'] };
    await notify(toolbox, call(CALL), { ...INPUT, gate });
    const at = `${KEY.workflowId} 'each[2]/o'\\''brien'`;
    expect(kept.sent[0]?.gate?.commands).toEqual([
      `thermidor approve ${at} --by '$(id)'`,
      `thermidor respond ${at} --response 'not yet; rm -rf /' --by '$(id)'`,
    ]);
  });

  test('loses what would steer a terminal or turn the direction of writing', async () => {
    const kept = adapter('kept');
    const { toolbox, call } = await shopWith([kept]);
    await notify(toolbox, call(CALL), { ...INPUT, message: 'a\u001b[2Jb\u0007\r\nc\td\u202ee\u2066f\u0000' });
    expect(kept.sent[0]?.body).toBe('a[2Jb\nc\tdef');
  });
});
