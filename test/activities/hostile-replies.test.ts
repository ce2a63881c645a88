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
  const reason = 'has text next to its JSON: the answer must be the object alone';
  expect(await check({ text }, ANY)).toMatchObject({ kind: 'bad', faults: [{ path: '$', reason }] });
});

test.each([
  ['several blocks', `${fence}\n{}\n${fence}\n${fence}\n{}\n${fence}`],
  ['a block that nothing ends', `${fence}json\n{`],
  ['an empty one', `${fence}\n${fence}`],
])('%s are no JSON', async (_, text) => {
  expect(await check({ text }, ANY)).toMatchObject({ kind: 'bad', faults: [{ path: '$', reason: 'is not JSON' }] });
});

test('fences without end, and blanks without end after one, are read in one pass', async () => {
  // If each were compared with all that follow, that would be more than 10^11 steps.
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

describe('a report that admits gaps does not pass', () => {
  const item = { type: 'object', properties: { event: { type: 'string' } } };
  const schema = { digest: 'gaps', value: { type: 'object', properties: { mood: item, events: { type: 'array', items: item } } } };
  const lacks = (path: string) => ({ path, reason: 'is missing' });
  const noList = (path: string) => ({ path, reason: 'must be a list of the paths that are missing' });

  test.each<[string, object, object[]]>([
    ['in the name of the protocol', { missing_fields: ['mood'] }, [lacks('mood')]],
    ['in another case', { missingFields: ['mood'], MISSING_FIELDS: ['events'] }, [lacks('mood'), lacks('events')]],
    ['in other signs', { 'missing-fields': ['mood'], 'Missing fields': 'events' }, [lacks('mood'), noList('Missing fields')]],
    ['of a part', { mood: { event: 'x', missing_fields: ['event'] } }, [lacks('mood.event')]],
    ['of an item', { events: [{ event: 'x' }, { event: 'y', missing_fields: ['event'] }] }, [lacks('events[1].event')]],
    ['as a text', { missing_fields: 'mood' }, [noList('missing_fields')]],
    ['as an object', { missing_fields: { mood: 'unknown' } }, [noList('missing_fields')]],
    ['by blanks', { missing_fields: ['\u00a0', null] }, [noList('missing_fields')]],
  ])('%s', async (_, report, faults) => {
    expect(await check({ text: JSON.stringify(report) }, { ...ANY, schema })).toMatchObject({ kind: 'bad', faults });
  });

  test('and one that lists none is whole, as is one whose schema has such a field for its data', async () => {
    const file = { type: 'object', properties: { missing_fields: { type: 'array' } } };
    const own = { digest: 'data', value: { properties: { files: { items: file }, missing_fields: { type: 'array' } } } };
    const data = { files: [{ missing_fields: ['b'] }] };
    expect(await check({ text: JSON.stringify({ ...data, missing_fields: [] }) }, { ...ANY, schema: own })).toMatchObject({ kind: 'good' });
    expect(await check({ text: JSON.stringify(data) }, ANY)).toMatchObject({ kind: 'good' });
    expect(await check({ text: '{"missing_fields": null}' }, { ...ANY, schema })).toMatchObject({ kind: 'good' });
    const admits = JSON.stringify({ ...data, missing_fields: ['a'] });
    expect(await check({ text: admits }, { ...ANY, schema: own })).toMatchObject({ kind: 'bad', faults: [lacks('a')] });
  });

  test('however many gaps it has, and however long it is', async () => {
    const long = { events: Array.from({ length: 300_000 }, () => ({ missingFields: ['event'] })) };
    const checked = await check({ text: JSON.stringify(long) }, { ...ANY, schema: { digest: 'any', value: {} } });
    expect(JSON.stringify(checked).length).toBeLessThan(20_000);
  });
});

test.each<[unknown, boolean]>([
  ['draft', true],
  ['', true],
  [null, true],
  ['Draft', false],
  ['nobody', false],
  [['draft'], false],
  [{ step: 'draft' }, false],
  [0, false],
])('a revision of %j is one of a step before the review: %s', async (target, isGood) => {
  const text = JSON.stringify({ verdict: 'revise', findings: [], revise_target: target });
  const faults = [{ path: 'revise_target', reason: 'must be a step or an agent before the review: draft' }];
  const expected = isGood ? { kind: 'good' } : { kind: 'bad', faults };
  expect(await check({ text }, { json: true, verdict: true, targets: ['draft'] })).toMatchObject(expected);
});
