import { keepsThinking, messagesOf } from '../../../activities/adapters/anthropic/messages';
import { sealedMessage } from '../../../activities/adapters/anthropic/thinking-seal';
import type { Json } from '../../../plan/text/json';
import type { Turn } from '../../../records/transcripts/turn';

/** Turns as the service reads them. */
const CALL = { id: 'c', tool: 'read_file', args: { path: 'a' } };
const USE = { type: 'tool_use', id: 'c', name: 'read_file', input: { path: 'a' } };
const user = (text: string): Turn => ({ role: 'user', text });
const says = (text: string, more: Partial<Turn> = {}): Turn => ({ role: 'assistant', text, ...more });
const result = (id: string, text = 'r'): Turn => ({ role: 'tool', text, call: { ...CALL, id } });

test('neighbours of one role are one message, results first', () => {
  const both = says('', { calls: [CALL, { ...CALL, id: 'd' }] });
  expect(messagesOf([user('q'), both, result('c'), result('d'), user('more')])).toMatchObject([
    { role: 'user' },
    { role: 'assistant', content: [{ id: 'c' }, { id: 'd' }] },
    { role: 'user', content: [{ tool_use_id: 'c' }, { tool_use_id: 'd' }, { type: 'text', text: 'more' }] },
  ]);
});

test('an empty reply is not sent, and its neighbours are put together', () => {
  expect(messagesOf([user('q'), says(' \n'), user('again')])).toMatchObject([{ content: [{ text: 'q' }, { text: 'again' }] }]);
});

test('what a tool refused is an error to the model', () => {
  const [, , results] = messagesOf([user('q'), says('', { calls: [CALL] }), { ...result('c'), refused: true }]);
  expect(results?.content).toMatchObject([{ type: 'tool_result', is_error: true }]);
});

test('a reply goes back as it came if it says more than its text and calls', () => {
  const content: Json[] = [
    { type: 'thinking', thinking: 'hm', signature: 's' },
    { type: 'server_tool_use', id: 's1', name: 'web', input: {} },
    { type: 'text', text: 'so' },
    USE,
  ];
  const [, reply] = messagesOf([user('q'), says('so', { calls: [CALL], message: sealedMessage(content) })]);
  expect(reply?.content).toEqual(content);
});

test('calls go by the ids of the transcript, whatever the service called them', () => {
  const message = sealedMessage([{ type: 'thinking', thinking: 'hm', signature: 's' }, USE]);
  const [, reply] = messagesOf([user('q'), says('', { calls: [{ ...CALL, id: 'c-2' }], message })]);
  expect(reply?.content).toMatchObject([{ type: 'thinking' }, { type: 'tool_use', id: 'c-2' }]);
});

test('names and ids that the service would not take back have others in their place, in the call and its result', () => {
  const strange = { id: 'functions.read:0', tool: 'read file', args: {} };
  const message = sealedMessage([
    { type: 'thinking', thinking: 'hm', signature: 's' },
    { ...USE, name: 'read file' },
  ]);
  for (const more of [{}, { message }]) {
    const shown = messagesOf([user('q'), says('', { calls: [strange], ...more }), { role: 'tool', text: 'none', call: strange }]);
    expect(shown[1]?.content.at(-1)).toMatchObject({ id: 'functions_read_0', name: 'read_file' });
    expect(shown[2]?.content).toMatchObject([{ tool_use_id: 'functions_read_0' }]);
  }
});

test('thinking that was masked is left out with all the thinking of its reply', () => {
  const message = sealedMessage([
    { type: 'thinking', thinking: 'my secret', signature: 's' },
    { type: 'redacted_thinking', data: 'd' },
    { type: 'text', text: 'so' },
  ]);
  const masked = JSON.parse(JSON.stringify(message).replace('secret', '***'));
  expect(messagesOf([user('q'), says('so', { message: masked })])[1]?.content).toEqual([{ type: 'text', text: 'so' }]);
});

test('a message of another service is none: text and calls stand for it', () => {
  expect(messagesOf([user('q'), says('so', { message: { role: 'assistant', reasoning: 'hm' } })])[1]?.content).toEqual([
    { type: 'text', text: 'so' },
  ]);
});

test('manual thinking goes on only if the replies since the question begin with thinking', () => {
  const thought = says('', { calls: [CALL], message: sealedMessage([{ type: 'thinking', thinking: 'hm', signature: 's' }, USE]) });
  expect(keepsThinking(messagesOf([user('q')]))).toBe(true);
  expect(keepsThinking(messagesOf([user('q'), thought, result('c')]))).toBe(true);
  expect(keepsThinking(messagesOf([user('q'), says('', { calls: [CALL] }), result('c')]))).toBe(false);
  expect(keepsThinking(messagesOf([user('q'), says('so'), user('again')]))).toBe(true);
});
