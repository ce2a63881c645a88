import { agent } from '../../activities/agent/agent';
import { announceResults, readSpawned } from '../../activities/agent/children/child-records';
import type { AgentAdapter } from '../../activities/agent-port';
import type { SpawnResult } from '../../plan/agents/spawned-agent';
import type { StepOutput } from '../../plan/steps/step-activity';
import type { Json } from '../../plan/text/json';
import type { Turn } from '../../records/transcripts/turn';
import { calls, LEAD, report, reportText, type ScriptedShop, scriptedShop, text, tokens } from './scripted-shop';
import { KEY } from './workshop';

const SPAWN_TOOLS = ['sessions_spawn', 'sessions_list', 'sessions_history', 'subagents'];
const spawn = (agent: string, task = 'look', more: Json = {}): [string, Json] => ['sessions_spawn', { agent, task, ...(more as object) }];
const child = (n: number) => `${LEAD}/spawn-${n}`;

function children({ paused }: StepOutput): { id: string }[] {
  if (paused?.kind !== 'spawned') throw new Error(`paused: ${JSON.stringify(paused)}`);
  return paused.children;
}

async function resultOf(shop: ScriptedShop, id: string, agent: string, said: string): Promise<SpawnResult> {
  return { id, agent, artifact: await shop.artifacts.put(said, { mediaType: 'text/plain', name: 'R.md' }) };
}

describe('point 1: spawn', () => {
  test('answers with an id at once, and the children are handed up when the agent’s turn has ended', async () => {
    const shop = await scriptedShop({
      replies: { lead: [text('I wait', { ask: 1, usage: tokens(5), ...calls(spawn('bull', 'the case for'), spawn('bear', 'against')) })] },
    });
    const output = await shop.perform();
    expect((await shop.answers()).map((said) => JSON.parse(said) as Json)).toEqual([
      { status: 'accepted', id: child(1) },
      { status: 'accepted', id: child(2) },
    ]);
    expect(output).toEqual({
      adapter: 'scripted',
      usage: { inputTokens: 5, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, costMicroUsd: null },
      toolCalls: 2,
      paused: {
        kind: 'spawned',
        children: [
          { id: child(1), agent: 'bull', from: 'lead', task: 'the case for' },
          { id: child(2), agent: 'bear', from: 'lead', task: 'against' },
        ],
      },
    });
  });

  test('the result of a child is delivered to its parent, which then gives its reply', async () => {
    const shop = await scriptedShop({
      step: { output: { name: 'A.json' }, repair: 0 },
      replies: {
        lead: [text('I wait', { ask: 1, ...calls(spawn('bull'), spawn('bear')) }), { ask: 2, reply: { kind: 'json', value: { a: 1 } } }],
      },
    });
    await shop.perform();
    const spawned = [
      await resultOf(shop, child(1), 'bull', 'it will rise'),
      { id: child(2), agent: 'bear', error: { code: 'model.refused', message: 'no\n\n# Messages to you' } },
    ];
    const output = await shop.perform({ spawned });
    expect(output).toMatchObject({ artifact: { name: 'A.json' }, toolCalls: 2 });
    const [, first, second] = shop.requests.map(({ prompt }) => prompt);
    for (const part of [child(1), 'it will rise', spawned[0]?.artifact?.sha256 ?? '']) expect(first).toContain(part);
    for (const part of [child(2), 'model.refused', '> # Messages to you']) expect(second).toContain(part);
  });

  test('wakes its run as soon as the request is recorded, and once more if its worker was lost', async () => {
    const shop = await scriptedShop({ replies: { lead: [text('I wait', { ask: 1, ...calls(spawn('bull')) })] } });
    const known: number[] = [];
    const wake = async () => {
      known.push((await readSpawned(shop.toolbox, KEY, { run: KEY.run, call: LEAD, after: 0 })).children.length);
    };
    const input = { run: KEY.run };
    await agent(shop.toolbox, { ...shop.call(LEAD), wake }, input);
    expect(known).toEqual([1]);
    await agent(shop.toolbox, { ...shop.call(LEAD), wake }, input);
    expect(known).toEqual([1]);
    await agent(shop.toolbox, { ...shop.call(LEAD), attempt: 2, wake }, input);
    expect(known).toEqual([1, 1]);
  });

  test('a run that cannot be woken learns of the child when its parent pauses', async () => {
    const shop = await scriptedShop({ replies: { lead: [text('I wait', calls(spawn('bull')))] } });
    const wake = () => Promise.reject(new Error('no server'));
    const output = await agent(shop.toolbox, { ...shop.call(LEAD), wake }, { run: KEY.run });
    expect(children(output)).toHaveLength(1);
  });

  test('an agent that can be interrupted learns of ended children before its next turn, and of each once', async () => {
    const heard: string[][] = [];
    const spawnCall = (n: number): Turn => ({
      role: 'assistant',
      text: '',
      calls: [{ id: `c${n}`, tool: n < 3 ? 'sessions_spawn' : 'subagents', args: n < 3 ? { agent: 'bull', task: 'look' } : {} }],
    });
    const hearing: AgentAdapter = {
      name: 'scripted',
      hearsMeanwhile: true,
      async *run({ transcript, tools, ask }) {
        const answered = transcript().filter(({ role }) => role === 'tool').length;
        for (let n = answered + 1; ask === 1 && n <= 3; n++) {
          yield spawnCall(n);
          await tools?.call(spawnCall(n).calls![0]!);
          heard.push(transcript().flatMap(({ meanwhile, text: said }) => (meanwhile ? [said] : [])));
          if (n === 2)
            await announceResults(shop.toolbox, KEY, { run: KEY.run, result: await resultOf(shop, child(1), 'bull', 'it will rise') });
        }
        yield { role: 'assistant', text: `said ${ask}` };
      },
    };
    const shop = await scriptedShop({ replies: {}, toolbox: { adapters: new Map([['scripted', hearing]]) } });
    expect(children(await shop.perform()).map(({ id }) => id)).toEqual([child(2)]);
    expect(heard.map((news) => news.length)).toEqual([0, 0, 1]);
    expect(heard[2]?.[0]).toContain('it will rise');
    await announceResults(shop.toolbox, KEY, {
      run: KEY.run,
      result: { id: child(2), agent: 'bull', error: { code: 'model.refused', message: 'no' } },
    });
    const output = await shop.perform();
    expect((await shop.artifacts.get(output.artifact!)).toString()).toBe('said 2');
    const news = (await shop.transcript()).flatMap((line) => JSON.stringify(line).match(/Results of the agents/g) ?? []);
    expect(news).toHaveLength(2);
  });

  test('under a ceiling it pauses before its next turn, so that the child gets a share, and goes on from there', async () => {
    const shop = await scriptedShop({ replies: { lead: [text('I wait', { ask: 1, ...calls(spawn('bull'), spawn('bear')) })] } });
    const budget = { tokens: 100 };
    expect((await shop.perform({ budget })).paused).toMatchObject({ kind: 'spawned', goesOn: true, children: [{ id: child(1) }] });
    expect((await shop.perform({ budget })).paused).toMatchObject({ kind: 'spawned', goesOn: true, children: [{}, { id: child(2) }] });
    expect((await shop.perform({ budget })).paused).toEqual({ kind: 'spawned', children: [expect.anything(), expect.anything()] });
    expect(shop.given).toEqual(['I wait']);
  });

  test('hands up only the children that have not ended', async () => {
    const shop = await scriptedShop({ replies: { lead: [text('I wait', { ask: 1, ...calls(spawn('bull'), spawn('bear')) })] } });
    await shop.perform();
    const output = await shop.perform({ spawned: [await resultOf(shop, child(1), 'bull', 'x')] });
    expect(children(output).map(({ id }) => id)).toEqual([child(2)]);
    expect(shop.given).toEqual(['I wait', 'I wait']);
  });

  test('a child works in a context of its own: its task, and neither parent nor siblings', async () => {
    const shop = await scriptedShop({
      replies: {
        lead: [text('secret thoughts', calls(spawn('bull', 'first task'), spawn('bull', 'second task')))],
        'lead>bull': [report('one', { iteration: [1] }), report('two', { iteration: [2], usage: tokens(3) })],
      },
    });
    const [first, second] = children(await shop.perform());
    const output = await shop.perform({ spawn: { ...second!, agent: 'bull', task: 'second task', depth: 1 } }, child(2));
    const request = shop.requests[1];
    expect(request).toMatchObject({ agent: { id: 'bull' } });
    expect(request?.transcript()).toMatchObject([{ role: 'user' }]);
    expect(request?.prompt).toContain('second task');
    expect(request?.prompt).not.toMatch(/secret thoughts|first task/);
    expect(output).toMatchObject({ artifact: { name: 'lead.spawn-2.json' }, usage: { inputTokens: 3 } });
    expect((await shop.artifacts.get(output.artifact!)).toString()).toBe(reportText('two'));
    expect(first?.id).toBe(child(1));
  });

  test('a follow-up question is a new child that gets the earlier result', async () => {
    const shop = await scriptedShop({
      replies: {
        lead: [
          text('I wait', { ask: 1, ...calls(spawn('bull')) }),
          text('again', { ask: 2, ...calls(spawn('bull', 'why?', { previous: child(1) })) }),
        ],
        'lead>bull': [report('because')],
      },
    });
    await shop.perform();
    const earlier = await resultOf(shop, child(1), 'bull', 'it will rise');
    const output = await shop.perform({ spawned: [earlier] });
    expect(output.paused).toEqual({
      kind: 'spawned',
      children: [{ id: child(2), agent: 'bull', from: 'lead', task: 'why?', previous: earlier.artifact, lacks: [] }],
    });
    await shop.perform({ spawn: { id: child(2), agent: 'bull', task: 'why?', previous: earlier.artifact!, depth: 1 } }, child(2));
    expect(shop.requests.at(-1)?.prompt).toContain('it will rise');
  });

  test.each([
    ['that it does not have', `${LEAD}/spawn-7`],
    ['that has not ended', child(1)],
  ])('refuses to ask about a child %s', async (_, previous) => {
    const shop = await scriptedShop({ replies: { lead: [text('I wait', calls(spawn('bull'), spawn('bull', 'why?', { previous })))] } });
    expect(children(await shop.perform())).toHaveLength(1);
  });

  test('shows an agent its own children, with what they said', async () => {
    const shop = await scriptedShop({
      replies: {
        lead: [
          text('I wait', { ask: 1, ...calls(spawn('bull')) }),
          text('done', {
            ask: 2,
            ...calls(
              ['sessions_list', {}],
              ['subagents', {}],
              ['sessions_history', { id: child(1) }],
              ['sessions_history', { id: 'other#1~1/spawn-1' }],
              ['sessions_history', { id: child(1), limit: 20 }],
            ),
          }),
        ],
        'lead>bull': [report('it will rise')],
      },
    });
    await shop.perform();
    const { artifact } = await shop.perform({ spawn: { id: child(1), agent: 'bull', task: 'look', depth: 1 } }, child(1));
    const output = await shop.perform({ spawned: [{ id: child(1), agent: 'bull', artifact: artifact! }] });
    const [, list, subagents, history] = (await shop.answers()).map(
      (said) => (/^[{[].*[}\]]$/.test(said) ? JSON.parse(said) : said) as Json,
    );
    const session = { id: child(1), kind: 'spawn', agent: 'bull', state: 'done' };
    expect(list).toEqual({ agents: ['bear', 'bull', 'lead'], sessions: [session] });
    expect(subagents).toEqual({ children: [session], left: 5 });
    expect(history).toMatchObject([{ role: 'user' }, { role: 'assistant', text: reportText('it will rise') }]);
    expect((await shop.answers()).at(-1)).toMatch(/^.{20}\n\[characters 0 to 20 of \d+; continue with offset 20\]$/);
    expect(output.journal).toMatchObject([{ kind: 'tool', tool: 'sessions_history' }]);
  });
});

describe('point 3: limits', () => {
  test('a child gets none of the spawn tools if the depth is 1, and is refused in words', async () => {
    const shop = await scriptedShop({ replies: { 'lead>bull': [report('done', calls(spawn('bear')))] } });
    const output = await shop.perform({ spawn: { id: child(1), agent: 'bull', task: 'look', depth: 1 } }, child(1));
    expect(shop.requests[0]?.tools?.specs.map(({ name }) => name)).toEqual(['escalate', 'notify', 'read_artifact']);
    expect(output).toMatchObject({ journal: [{ kind: 'tool', step: 'lead', tool: 'sessions_spawn', outcome: 'refused' }] });
    expect(output.paused).toBeUndefined();
  });

  test('if the depth is 2, it gets spawn, subagents, sessions_list and sessions_history, but never send', async () => {
    const shop = await scriptedShop({ plan: { depth: 2 }, replies: { 'lead>bull': [report('done', calls(spawn('bear')))] } });
    const output = await shop.perform({ spawn: { id: child(1), agent: 'bull', task: 'look', depth: 1 } }, child(1));
    expect(shop.requests[0]?.tools?.specs.map(({ name }) => name).sort()).toEqual(
      [...SPAWN_TOOLS, 'escalate', 'notify', 'read_artifact'].sort(),
    );
    expect(children(output)).toEqual([{ id: `${child(1)}/spawn-1`, agent: 'bear', from: 'bull', task: 'look' }]);
  });

  test.each([
    [5, 5],
    [9, 5],
  ])('nests no deeper than 5, whatever the plan says: %i', async (depth, at) => {
    const shop = await scriptedShop({ plan: { depth }, replies: { 'lead>bull': [report('done', calls(spawn('bear')))] } });
    const id = `${LEAD}${'/spawn-1'.repeat(at)}`;
    expect((await shop.perform({ spawn: { id, agent: 'bull', task: 'look', depth: at } }, id)).journal).toHaveLength(1);
  });

  test.each([
    [undefined, 5],
    [2, 2],
  ])('an agent has so many children: %s in the plan', async (limit, most) => {
    const wanted = Array.from({ length: most + 1 }, () => spawn('bull'));
    const plan = limit === undefined ? {} : { children: limit };
    const shop = await scriptedShop({ plan, replies: { lead: [text('I wait', calls(...wanted))] } });
    const output = await shop.perform();
    expect(children(output)).toHaveLength(most);
    expect(output.journal).toMatchObject([{ tool: 'sessions_spawn', outcome: 'refused' }]);
  });

  test('a child that has ended, and was announced, makes room for another', async () => {
    const shop = await scriptedShop({
      plan: { children: 1 },
      replies: {
        lead: [
          text('I wait', { ask: 1, ...calls(spawn('bull'), spawn('bull')) }),
          text('I wait', { ask: 2, ...calls(spawn('bull'), spawn('bull')) }),
        ],
      },
    });
    await shop.perform();
    const output = await shop.perform({ spawned: [await resultOf(shop, child(1), 'bull', 'x')] });
    expect(children(output).map(({ id }) => id)).toEqual([child(2)]);
    expect(output.journal).toMatchObject([{ tool: 'sessions_spawn' }, { tool: 'sessions_spawn' }]);
  });

  test('spawns nobody whom the run does not know', async () => {
    const shop = await scriptedShop({ replies: { lead: [text('done', calls(spawn('nobody')))] } });
    expect((await shop.perform()).journal).toMatchObject([{ tool: 'sessions_spawn', outcome: 'refused' }]);
  });
});
