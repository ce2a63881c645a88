import type { StepInput, StepOutput } from '../../plan/steps/step-activity';
import { field } from '../../plan/text/json';
import { calls, dyingAfter, LEAD, noting, report, type ScriptedShop, scriptedShop, text, tokens } from './scripted-shop';

/** A try that has everything (a talk, children, a tool, a repair), and the same try without a fault. */
async function everything(): Promise<ScriptedShop & { note: ReturnType<typeof noting> }> {
  const note = noting();
  const shop = await scriptedShop({
    ...{ toolbox: { tools: { note }, nowMs: () => 0 }, step: { output: { name: 'A.json' } } },
    replies: {
      lead: [
        text('I wait', {
          ask: 1,
          usage: tokens(1),
          ...calls(
            ['sessions_send', { agent: 'bull', message: 'up?', timeoutSeconds: 30 }],
            ['sessions_spawn', { agent: 'bear', task: 'look' }],
            ['fly', {}],
          ),
        }),
        text('bad', { ask: 2, usage: tokens(2), ...calls(['note', { n: 1 }]) }),
        { ask: 3, reply: { kind: 'json', value: { a: 1 } }, usage: tokens(4) },
      ],
      'lead>bull': [report('yes', { usage: tokens(8) })],
      'lead>bear': [report('no', { usage: tokens(16) })],
    },
  });
  return { ...shop, note };
}

const CHILD = `${LEAD}/spawn-1`;

/** Calls the activity as the interpreter does, again after every death: `die` says after how many records. */
async function play(shop: ScriptedShop, die: (call: number) => number | undefined): Promise<StepOutput> {
  let made = 0;
  const perform = async (input: Partial<StepInput>, id: string): Promise<StepOutput> => {
    for (;;) {
      const records = die(made++);
      if (records === undefined) return await shop.perform(input, id);
      try {
        return await shop.perform(input, id, dyingAfter(shop, records));
      } catch (error) {
        if (!(error instanceof Error) || error.message !== 'killed') throw error;
      }
    }
  };
  const first = await perform({}, LEAD);
  if (first.paused?.kind !== 'spawned') throw new Error('it did not spawn');
  const [child] = first.paused.children;
  const { artifact } = await perform({ spawn: { ...child!, depth: 1 } }, CHILD);
  return await perform({ spawned: [{ id: CHILD, agent: 'bear', artifact: artifact! }] }, LEAD);
}

/** The part of the outcome that does not depend on where the work broke off. */
async function outcome(shop: Awaited<ReturnType<typeof everything>>, output: StepOutput): Promise<unknown> {
  const ids = [LEAD, CHILD, `${LEAD}/send-bull`];
  const turnsOf = async (id: string) => (await shop.transcript(id)).filter((line) => field(line, 'end') === undefined);
  return { output, given: shop.given, transcripts: await Promise.all(ids.map(turnsOf)) };
}

describe('a worker that dies', () => {
  let expected: unknown;
  beforeAll(async () => {
    const whole = await everything();
    expected = await outcome(whole, await play(whole, () => undefined));
  });

  test.each(Array.from({ length: 24 }, (_, n) => n + 1))(
    'after %i records: the same requests, and no reply is paid for twice',
    async (records) => {
      const shop = await everything();
      // Dies once in each call of the activity, if the call gets that far.
      const output = await play(shop, (call) => (call % 2 === 0 ? records : undefined));
      expect(await outcome(shop, output)).toEqual(expected);
    },
  );

  test('after every single record', async () => {
    const shop = await everything();
    // Each life makes three records: the messages to the agent, its partners, and one more.
    expect(await outcome(shop, await play(shop, () => 3))).toEqual(expected);
  });
});

test('a try with two requests and a talk in it reports all of its usage, and each event once', async () => {
  const shop = await everything();
  const output = await play(shop, () => undefined);
  expect(output).toMatchObject({ usage: { inputTokens: 15 }, toolCalls: 4, repairs: [{ missingFields: ['$'] }] });
  expect(output.journal?.map(({ kind }) => kind)).toEqual(['envelope', 'envelope', 'tool', 'envelope']);
});
