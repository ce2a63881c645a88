import { LocalSecrets } from '../../activities/adapters/secrets';
import { agent } from '../../activities/agent/agent';
import type { AgentRequest } from '../../activities/agent-port';
import type { MemberWork } from '../../plan/board/member-work';
import type { ArtifactRef } from '../../plan/run/artifact';
import type { Step } from '../../plan/steps/step';
import type { Json } from '../../plan/text/json';
import { LogFiles } from '../../records/directory/step-logs/log-files';
import { ownerIn } from '../../records/logs/log-owner';
import { blocksOf, readPage } from '../docs/page';
import { noted, printed } from '../logs/kept';
import { sweepCount } from '../support/sweep';
import { fakeAgent, KEY, type Workshop, withAgent, workshop } from './workshop';

/** A member of a board that is a program: what it is asked, and what becomes of its answer. */

const part: Step = { id: 'work', kind: 'agent', agent: 'bull', repair: 1 };

function alice(more: Partial<MemberWork> = {}): MemberWork {
  const others: MemberWork['others'] = [
    { name: 'lead', status: 'idle', isLead: true },
    { name: 'bob', role: 'tester', status: 'working' },
  ];
  return { name: 'alice', inbox: 'team/work-1/inbox', role: 'coder', team: 'core', context: [], maxTurns: 50, others, ...more };
}

type Said = Json | ((request: AgentRequest) => Json);

async function program(...said: Said[]) {
  let n = 0;
  const adapter = fakeAgent((request) => {
    const next = said[Math.min(n, said.length - 1)] ?? '';
    n += 1;
    const answer = typeof next === 'function' ? next(request) : next;
    return typeof answer === 'string' ? answer : JSON.stringify(answer);
  });
  const shop: Workshop = workshop({ ...withAgent({ ...adapter, ownTools: true }), secrets: new LocalSecrets({ TOK: 'hush-hush-1' }) });
  await shop.open([part], { args: { tok: { secret: true } } }, undefined, { tok: 'secret://env/TOK' });
  const work = (number = 1, member = alice(), again = {}) =>
    agent(shop.toolbox, shop.call(`work#${number}~1`, again), { run: KEY.run, member });
  const text = async (ref: ArtifactRef | undefined) => (ref ? (await shop.artifacts.get(ref)).toString() : undefined);
  return { shop, adapter, work, text };
}

const DONE = { status: 'done', summary: 'It is written.' };

describe('a program as a member', () => {
  test('sees who it is, who else is there, and what it may answer', async () => {
    const { adapter, work } = await program(DONE);
    await work();
    const [{ prompt, system } = { prompt: '', system: '' }] = adapter.requests;
    expect(prompt).toContain("<identity>You are 'alice', role: coder, team: core. Continue your work.</identity>");
    expect(prompt).toContain('- lead: leads, idle\n- bob: tester, working');
    for (const key of ['status', 'summary', 'result', 'create_tasks', 'messages', 'blocked_by', 'required_role'])
      expect(system).toContain(`"${key}"`);
  });

  test('prints into a log that says who it is, and with which task it began', async () => {
    const { shop, work } = await program(({ printed }) => {
      printed?.([])('stdout', Buffer.from('hello\n'));
      return DONE;
    });
    shop.toolbox.logs = new LogFiles(shop.root);
    await work(1, alice({ task: 3 }));
    expect(await printed(shop.root, 'work#1~1')).toEqual(['out hello']);
    expect((await noted(shop.root, 'work#1~1')).flatMap((note) => ownerIn(note) ?? [])).toEqual([{ member: 'alice', task: 3 }]);
  });

  test('answers once: the report has its words, and the long ones are in the store', async () => {
    const long = 'x'.repeat(5000);
    const tasks = [
      {
        subject: ' Next ',
        description: long,
        name: 'next',
        blocked_by: [1, '#2', 'other'],
        required_role: 'tester',
        priority: 2,
        worktree: true,
      },
      { subject: 'Plain' },
    ];
    const messages = [
      { to: 'bob', content: 'hello' },
      { to: 'lead', content: long },
    ];
    const { work, text, adapter } = await program({ ...DONE, result: long, create_tasks: tasks, messages });
    const { report, artifact, workEnd } = await work();
    expect(adapter.requests).toHaveLength(1);
    expect(workEnd).toBeUndefined();
    expect(report).toMatchObject({
      status: 'done',
      tasks: [
        { subject: 'Next', name: 'next', blockedBy: [1, '#2', 'other'], requiredRole: 'tester', priority: 2, worktree: true },
        { subject: 'Plain' },
      ],
      messages: [
        { to: 'bob', content: 'hello', characters: 5 },
        { to: 'lead', characters: 5000 },
      ],
    });
    expect(await Promise.all([report?.said.whole, report?.tasks?.[0]?.description, report?.messages?.[1]?.whole].map(text))).toEqual([
      long,
      long,
      long,
    ]);
    expect(JSON.stringify(report).length).toBeLessThan(2000);
    expect(JSON.parse((await text(artifact)) ?? '')).toMatchObject(DONE);
  });

  test('may answer what the page shows', async () => {
    const [shown = ''] = blocksOf(readPage('docs/steps/board.md'), 'json');
    const { work, adapter } = await program(shown);
    const { report } = await work();
    expect(adapter.requests).toHaveLength(1);
    expect(report).toMatchObject({ status: 'done', tasks: [{ subject: 'Document the parser' }], messages: [{ to: 'bob' }] });
  });

  test.each([
    [
      { ...DONE, result: 'found' },
      { status: 'done', said: { text: 'found' } },
    ],
    [DONE, { status: 'done', said: { text: 'It is written.' } }],
    [
      { status: 'blocked', summary: 'no key', result: 'half' },
      { status: 'blocked', said: { text: 'no key' } },
    ],
    [
      { status: 'failed', summary: 'no', create_tasks: [], messages: [] },
      { status: 'failed', said: { text: 'no' } },
    ],
  ])('says %j', async (said, report) => {
    const { work } = await program(said);
    expect((await work()).report).toEqual(report);
  });

  test.each([
    ['no JSON', 'I am done.', 'is not JSON'],
    ['another status', { status: 'finished', summary: 's' }, 'status'],
    ['no summary', { status: 'done' }, 'summary'],
    ['the name of another member', { ...DONE, from: 'bob' }, 'from'],
    ['the task of another', { ...DONE, task_id: 7 }, 'task_id'],
    ['a sender of a message', { ...DONE, messages: [{ to: 'bob', content: 'hi', from: 'lead' }] }, 'from'],
    ['the name of a worktree', { ...DONE, create_tasks: [{ subject: 'one', worktree: '../main' }] }, 'worktree'],
    ['a subject of two lines', { ...DONE, create_tasks: [{ subject: 'one\ntwo' }] }, 'subject'],
    ['a task of 1 MB', { ...DONE, create_tasks: [{ subject: 'one', description: 'x'.repeat(1_000_000) }] }, 'description'],
    ['too many tasks', { ...DONE, create_tasks: Array.from({ length: 21 }, (_, n) => ({ subject: `s${n}` })) }, 'create_tasks'],
    ['too many messages', { ...DONE, messages: Array.from({ length: 21 }, () => ({ to: 'bob', content: 'hi' })) }, 'messages'],
  ])('is asked again about %s, and the good answer counts', async (_, bad, named) => {
    const { work, adapter } = await program(bad, DONE);
    expect((await work()).report).toEqual({ status: 'done', said: { text: DONE.summary } });
    expect(adapter.requests.map(({ prompt }) => prompt)[1]).toContain(named);
  });

  test('whose answers are of no use does not fail: its task goes back', async () => {
    const { work, adapter, text } = await program('I am done.');
    const { report, artifact } = await work();
    expect(adapter.requests).toHaveLength(2);
    expect(report).toEqual({ status: 'failed', said: { text: expect.stringContaining('could not be used: the reply is not JSON') } });
    expect(await text(artifact)).toBe('I am done.');
  });

  test('is not paid again after a crash, and reports the same', async () => {
    const { shop, work, adapter } = await program({ ...DONE, messages: [{ to: 'bob', content: 'hi' }] });
    const { ledger } = shop.toolbox;
    const put = ledger.putIfAbsent.bind(ledger);
    const crash = jest.spyOn(ledger, 'putIfAbsent').mockImplementation(async (key, id, value) => {
      if (id === 'work#1~1') throw new Error('lost');
      return await put(key, id, value);
    });
    await expect(work()).rejects.toThrow('lost');
    crash.mockRestore();
    const report = { status: 'done', messages: [{ to: 'bob', content: 'hi' }] };
    expect((await work(1, alice(), { attempt: 2 })).report).toMatchObject(report);
    expect(adapter.requests).toHaveLength(1);
  });

  test('reports no secret that its answer has', async () => {
    const said = {
      ...DONE,
      result: 'hush-hush-1',
      create_tasks: [{ subject: 'Use hush-hush-1' }],
      messages: [{ to: 'bob', content: 'hush-hush-1' }],
    };
    const { work } = await program(said);
    const { report } = await work();
    expect(report?.tasks).toHaveLength(1);
    expect(JSON.stringify(report)).not.toContain('hush');
  });

  test('cannot lead: nothing is asked of it', async () => {
    const { work, adapter } = await program(DONE);
    await expect(work(1, alice({ name: 'lead', isLead: true }))).rejects.toMatchObject({
      code: 'adapter.unavailable',
      message: expect.stringContaining('a lead needs'),
    });
    expect(adapter.requests).toEqual([]);
  });
});

describe('its conversation', () => {
  test('goes on in the next WORK', async () => {
    const { work, adapter } = await program(DONE);
    const { context } = await work(1);
    await work(2, alice({ context: [context!] }));
    const earlier = adapter.requests[1]?.earlier ?? 0;
    expect(adapter.requests[1]?.transcript().slice(0, earlier)).toMatchObject([
      { role: 'user' },
      { role: 'assistant', text: JSON.stringify(DONE) },
    ]);
  });

  test('stays bounded over many WORKs, though a program makes no summary', async () => {
    const { work, adapter } = await program({ ...DONE, result: 'x'.repeat(10_000) });
    const works = sweepCount(50, 200);
    let context: ArtifactRef[] = [];
    for (let number = 1; number <= works; number++) context = [(await work(number, alice({ context }))).context!];
    const read = adapter.requests.map((request) => JSON.stringify(request.transcript()).length);
    expect(read.at(-1)).toBeGreaterThan(50_000);
    expect(Math.max(...read)).toBeLessThan(130_000);
  }, 60_000);

  test('has its last WORK, however long that was', async () => {
    const { work, adapter } = await program(
      { ...DONE, result: 'short' },
      { ...DONE, summary: 'y'.repeat(15_000), result: 'x'.repeat(16_000) },
    );
    const { context } = await work(1);
    expect(context).toBeDefined();
    await work(2, alice({ context: [context!] }));
    expect(adapter.requests[1]?.earlier).toBe(2);
  });
});
