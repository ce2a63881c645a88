import { ThreadTextMatching } from '../../activities/adapters/threads/pattern-matching';
import { checkReply, type Reply, type ReplyForm } from '../../activities/agent/reply';

const ANY: ReplyForm = { json: true, verdict: false };
const fence = '```';
const BY = { matching: new ThreadTextMatching(), log: () => undefined };
const check = (reply: Reply, form: ReplyForm) => checkReply(BY, reply, form);

test.each<[string, string, unknown]>([
  ['one block', `${fence}json\n{"a": 1}\n${fence}`, { a: 1 }],
  ['one with blanks around its fences', `  ${fence} JSON \r\n{"a": 1}\r\n\t${fence}  `, { a: 1 }],
  ['one that holds an empty line', `${fence}\n\n{"a": 1}\n\n${fence}`, { a: 1 }],
])('the JSON of a reply is its %s', async (_, text, value) => {
  expect(await check({ text }, ANY)).toMatchObject({ kind: 'good', value });
});

test.each([
  ['before an object', 'Here it is: {"a": 1}'],
  ['behind an object', '{"a": 1}\nThat is all.'],
  ['around a block', `Here:\n${fence}json\n{"a": 1}\n${fence}\nThat is all.`],
  ['before a block', `Here:\n${fence}\n{"a": 1}\n${fence}`],
])('text %s is a fault', async (_, text) => {
  const reason = 'has text next to its JSON: the object alone is the answer';
  expect(await check({ text }, ANY)).toMatchObject({ kind: 'bad', faults: [{ path: '$', reason }] });
});

test.each([
  ['several blocks', `${fence}\n{}\n${fence}\n${fence}\n{}\n${fence}`],
  ['a block that nothing ends', `${fence}json\n{`],
  ['an empty one', `${fence}\n${fence}`],
])('%s are no JSON', async (_, text) => {
  expect(await check({ text }, ANY)).toMatchObject({ kind: 'bad', faults: [{ path: '$', reason: 'is not JSON' }] });
});

test('fences without end, and blanks without end behind one, are read in one pass', async () => {
  // Each read by all that follows it would be 10^11 steps and more.
  for (const text of [`${fence}json\n`.repeat(250_000), `${fence}${' '.repeat(2_000_000)}x`, `${fence}\n`.repeat(250_000)]) {
    expect(await check({ text }, ANY)).toMatchObject({ kind: 'bad' });
  }
});

test.each(['['.repeat(100_000) + ']'.repeat(100_000), `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`])(
  'what nests deeper than anybody can go is no JSON',
  async (text) => {
    expect(await check({ text }, ANY)).toMatchObject({ kind: 'bad', code: 'reply.invalid' });
    expect(await check({ text }, { json: false, verdict: false })).toEqual({ kind: 'good', text, value: text, json: false });
  },
);

test.each([
  [1000, 'how many more there are', /^… and \d+ more$/],
  [6000, 'that not all was looked for', /^… and perhaps more:/],
])('of a reply that is wrong in %s places the first are reported, and %s', async (places, _, more) => {
  const extra = Array.from({ length: places / 2 }, (_, i) => [`${'k'.repeat(1000)}${i}`, 1]);
  const wrong = { a: Array(places / 2).fill('x'), ...Object.fromEntries(extra) };
  const schema = { digest: 'many', value: { properties: { a: { items: { type: 'number' } } }, additionalProperties: false } };
  const checked = await check({ text: JSON.stringify(wrong) }, { ...ANY, schema });
  expect(checked).toMatchObject({ kind: 'bad', more: expect.stringMatching(more) });
  expect(JSON.stringify(checked).length).toBeLessThan(20_000);
});

test.each<[object, boolean]>([
  [{ missing_fields: Array.from({ length: 10_000 }, (_, i) => `field-${i}`) }, false],
  [{ missing_fields: ['x'.repeat(1_000_000)] }, false],
  [{ verdict: 'x'.repeat(1_000_000) }, true],
])('what a reply says of itself is reported in part', async (reply, verdict) => {
  const checked = await check({ text: JSON.stringify(reply) }, { json: true, verdict });
  expect(checked).toMatchObject({ kind: 'bad' });
  expect(JSON.stringify(checked).length).toBeLessThan(20_000);
});
