import { agent } from '../../activities/agent/agent';
import type { Asked } from '../../plan/brief/read-hand-off';
import { field } from '../../plan/text/json';
import type { Turn } from '../../records/transcripts/turn';
import { closeServers, local } from '../adapters/anthropic/local';
import { block, escalation, execution, plan, review, subTask } from '../brief/replies';
import { sayJson } from '../support/messages-server/served';
import { failureOf, fakeAgent, KEY, type Workshop, withAgent, workshop } from './workshop';

/** The hand-off of a role, in the conversation in which it replies: what is read, what is asked for again, and how often. */

afterEach(closeServers);

const ADDRESS = 'bull#1~1';
const EXECUTION: Asked = { kind: 'execution', subtask: 'a' };
const PLAN: Asked = { kind: 'plan', roles: ['executor', 'editor'] };
const GOOD = block(execution('a'));

async function conversation(replies: readonly (string | Turn[])[]) {
  const adapter = fakeAgent(({ ask }) => replies[ask - 1] ?? Promise.reject(new Error(`nobody expects request ${ask}`)));
  const shop = workshop(withAgent(adapter));
  await shop.open([{ id: 'bull', kind: 'agent', agent: 'bull' }]);
  return { shop, requests: adapter.requests };
}

const reply = (shop: Workshop, handOff: Asked) => agent(shop.toolbox, shop.call(ADDRESS), { run: KEY.run, handOff });

async function text({ artifacts }: Workshop, { artifact }: Awaited<ReturnType<typeof reply>>): Promise<string> {
  if (!artifact) throw new Error('it put nothing out');
  return (await artifacts.get(artifact)).toString();
}

const CUT = GOOD.slice(0, GOOD.lastIndexOf('}'));
const called: Turn = { role: 'assistant', text: '', calls: [{ id: 'c', tool: 'read_file', args: {} }] };
const result: Turn = { role: 'tool', text: 'x', call: { id: 'c', tool: 'read_file', args: {} } };

describe('a reply is taken as it is', () => {
  test.each<[string, string, Asked]>([
    [
      'with text around its block',
      block(execution('a'), { before: 'I have done it.', after: '\nTell me if it is not enough.' }),
      EXECUTION,
    ],
    ['with two blocks, of which the last counts', `${block(execution('b'))}\n\nNo, this:\n\n${GOOD}`, EXECUTION],
    ['with a tag in capitals', block(execution('a'), { tag: 'JSON' }), EXECUTION],
    ['that is an object as a whole', JSON.stringify(execution('a')), EXECUTION],
    ['that escalates, whatever was asked', block(escalation('warn')), EXECUTION],
    ['that escalates in place of a plan', block(escalation('error')), PLAN],
    ['with control characters in its texts', block(execution('a', { output: 'wrote\u001b[2J a\u0007.md\u202e' })), EXECUTION],
  ])('%s', async (_, said, asked) => {
    const { shop, requests } = await conversation([said]);
    const output = await reply(shop, asked);
    expect([output.repairs, output.requests, requests]).toEqual([undefined, undefined, [expect.anything()]]);
    expect(await text(shop, output)).toBe(said);
  });
});

/** What is asked, the bad reply, the places that the repair names, and what it says of them. */
const BAD: [string, Asked, string | Turn[], string[], string][] = [
  ['has two blocks, of which the last is bad', EXECUTION, `${GOOD}\n\n${block(execution('b'))}`, ['subtask_id'], 'must be "a", not "b"'],
  ['has a block that is cut', EXECUTION, CUT, ['$'], 'is not closed'],
  ['has a good block before one that is cut', EXECUTION, `${GOOD}\n\n${CUT}`, ['$'], 'is not closed'],
  ['was cut at the limit of its service', EXECUTION, [{ role: 'assistant', text: GOOD, stop: 'cut' }], ['$'], 'was truncated'],
  ['is empty', EXECUTION, '', ['$'], 'is empty'],
  ['is empty after calls of tools', EXECUTION, [called, result, { role: 'assistant', text: ' ' }], ['$'], 'is empty'],
  ['is prose', EXECUTION, 'I have done it.', ['$'], 'no fenced `json` block'],
  ['is about another sub-task', { kind: 'review', subtask: 'a' }, block(review('b', 'pass')), ['subtask_id'], 'must be "a", not "b"'],
  ['is of another kind', EXECUTION, block(review('a', 'pass')), ['kind'], 'must be "execution" or "escalation", not "review"'],
  [
    'plans for a role that there is not',
    PLAN,
    block(plan(subTask('a', { role: 'reviewer' }))),
    ['subtasks[0].role'],
    'must be "executor" or "editor", not "reviewer"',
  ],
  ['has control characters and nothing else', EXECUTION, block(execution('a', { output: '\u001b\u0007' })), ['output'], 'is empty'],
  ['names itself in control characters', EXECUTION, block(execution('b\u001b[2J')), ['subtask_id'], 'must be "a", not "b'],
];

const goodFor = ({ kind }: Asked): string =>
  block(kind === 'plan' ? plan(subTask('a', { role: 'editor' })) : kind === 'review' ? review('a', 'pass') : execution('a'));

describe.each(BAD)('a reply that %s', (_, asked, said, places, says) => {
  test('is asked for once more in the same conversation, by its fault', async () => {
    const { shop, requests } = await conversation([said, goodFor(asked)]);
    const output = await reply(shop, asked);
    expect(output).toMatchObject({ repairs: [{ missingFields: places }], requests: 2 });
    expect(await text(shop, output)).toBe(goodFor(asked));
    const repair = requests[1];
    expect(repair?.prompt).toContain(says);
    expect(repair?.prompt).not.toContain('"$"');
    expect(repair?.prompt).toMatch(/with one fenced `json` block at its end\.$/);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: an agent's words must not bring them into a prompt.
    expect(repair?.prompt).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    const before = requests[0]?.transcript().length ?? 0;
    expect(repair?.transcript().slice(0, before)).toEqual(requests[0]?.transcript());
    expect(repair?.transcript().length).toBeGreaterThan(before);
  });

  test('is malformed if it comes again, and nobody is asked a third time', async () => {
    const { shop, requests } = await conversation([said, said]);
    const failure = await failureOf(reply(shop, asked));
    expect(failure).toMatchObject({ code: 'reply.invalid', message: expect.stringContaining(says), details: { missingFields: places } });
    expect(failure.message).toContain(` did not return a hand-off of the kind "${asked.kind}", also after 1 repair request: `);
    expect([requests.length, failure.work?.requests]).toEqual([2, 2]);
  });
});

test.each<[Asked['kind'], Asked, string[]]>([
  ['plan', PLAN, ['kind', 'subtasks', 'rationale', 'severity', 'role', 'reason', 'context']],
  ['execution', EXECUTION, ['kind', 'subtask_id', 'output', 'tool_calls', 'notes', 'severity', 'role', 'reason', 'context']],
  ['review', { kind: 'review', subtask: 'a' }, ['kind', 'subtask_id', 'verdict', 'rationale', 'suggested_revision', 'severity', 'reason']],
])('a service with structured output is held to the hand-off: %s', async (_, asked, fields) => {
  const hand = { plan: plan(subTask('a')), execution: execution('a'), review: review('a', 'pass') }[asked.kind];
  const { server, adapter } = await local([sayJson(hand)]);
  const shop = workshop(withAgent(adapter));
  const definition = await shop.blob({ id: 'bull', role: 'You work.', adapter: 'anthropic', model: 'claude-test' });
  await shop.open([{ id: 'bull', kind: 'agent', agent: 'bull' }], { agents: { bull: { definition } } });
  expect((await reply(shop, asked)).repairs).toBeUndefined();
  expect([server.problems, server.paid()]).toEqual([[], 1]);
  const schema = field(field(server.requests[0]?.body['output_config'], 'format'), 'schema');
  const properties = field(schema, 'properties');
  expect(Object.keys(Object(properties))).toEqual(expect.arrayContaining(fields));
  expect(properties).toMatchObject({ kind: { enum: [asked.kind, 'escalation'] } });
});
