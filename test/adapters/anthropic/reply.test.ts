import { readReply } from '../../../activities/adapters/anthropic/reply';
import type { Json } from '../../../plan/text/json';

test('a field that is not what it should be counts as absent, and never becomes part of the reply', () => {
  const reader = readReply();
  const events: { type: string; [key: string]: Json }[] = [
    { type: 'message_start', message: { model: 5, usage: 'none' } },
    { type: 'content_block_start', index: 'first', content_block: { type: 'text', text: 'nowhere' } },
    { type: 'content_block_start', index: 0, content_block: 'text' },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'Hello' } },
    { type: 'content_block_delta', index: [0], delta: { text: ' and more' } },
    { type: 'content_block_delta', index: 0, delta: null },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_details: 'none' }, usage: [] },
    { type: 'message_delta', delta: { stop_reason: { odd: true } } },
  ];
  for (const event of events) reader.take(event);
  expect(reader.isWhole()).toBe(true);
  expect(reader.reply('asked')).toEqual({ text: 'Hello', calls: [], model: 'asked' });
});
