import { shownPart } from '../../../activities/adapters/notify/shown-part';
import type { ChannelMessage } from '../../../activities/channel-port';
import { discordMessage } from '../../../channels/discord/message';
import { slackMessage } from '../../../channels/slack/message';
import { NOBODY } from '../../../plan/people/people';
import { question } from './messages';

/** What a gate shows reaches people in their chats, as far as it fits into a message. */
const DIFF = '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old <b> *x*\n+new @everyone';
const URL = 'https://decide.example.org/g/';

const showing = (shown: string, body = 'Fine?'): ChannelMessage => ({ ...question({}, { body }), shown });
const description = (message: ChannelMessage): string => discordMessage(message, NOBODY).embeds[0]?.description ?? '';
const sections = (message: ChannelMessage): string[] =>
  slackMessage(message, NOBODY).blocks.flatMap((block) => (block.type === 'section' ? [block.text.text] : []));

test('a diff is a diff in Discord, and pings nobody', () => {
  expect(description(showing(DIFF))).toBe(`Fine?\n\`\`\`diff\n${DIFF}\n\`\`\``);
  expect(discordMessage(showing(DIFF), NOBODY).allowed_mentions).toEqual({ parse: [], users: [], roles: [] });
});

test('it is escaped in Slack', () => {
  expect(sections(showing(DIFF))).toContain(`\`\`\`\n${DIFF.replace('<b>', '&lt;b&gt;')}\n\`\`\``);
});

test('marks of a code block within it do not end the block', () => {
  const text = 'a\n```\n*b*';
  expect(description(showing(text))).toBe('Fine?\na\n\\`\\`\\`\n\\*b\\*');
  expect(sections(showing(text))).toContain(text);
});

test.each(['x', '<', '*', '&', '😀', 'a\n'])('a long one of %j is cut within the limits, and says so', (piece) => {
  for (const body of ['Fine?', 'long '.repeat(1500)]) {
    const message = showing(piece.repeat(20_000), body);
    const [embed] = discordMessage(message, NOBODY).embeds;
    const fields = (embed?.fields ?? []).reduce((sum, { name, value }) => sum + name.length + value.length, 0);
    expect((embed?.description ?? '').length).toBeLessThanOrEqual(4096);
    expect((embed?.description ?? '').length + fields + (embed?.footer.text.length ?? 0)).toBeLessThanOrEqual(6000);
    for (const text of [embed?.description ?? '', sections(message).find((one) => one.includes('left out')) ?? '']) {
      expect(text).toContain(`of ${message.shown?.length} characters are left out; all of it: ${URL}`);
      expect(Buffer.from(text).toString()).toBe(text);
    }
    for (const text of sections(message)) expect(text.length).toBeLessThanOrEqual(3000);
  }
});

test('what is left out is counted in what was written', () => {
  const part = shownPart(showing('<'.repeat(1000)), 2000, () => '&lt;');
  const kept = (part?.text.length ?? 0) / 4;
  expect(part?.note).toContain(`${1000 - kept} of 1000 characters`);
});

test('without a page of its own the note names a command', () => {
  const { gate, ...rest } = showing('x'.repeat(5000));
  const { url: _left, ...asked } = gate!;
  expect(shownPart({ ...rest, gate: asked }, 1000)?.note).toContain('`thermidor inbox`');
});

test('a gate that shows nothing has no such part', () => {
  expect(description(question({}))).toBe('Buy 2 BTC?');
  expect(shownPart(question({}), 1000)).toBeUndefined();
});
