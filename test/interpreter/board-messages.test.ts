import { coder, completes, each, type Member, notes, playBoard, rows, toTheEnd, type Work } from './board-play';
import { freshly } from './program';

/** Messages through a run: sent in mid-task, posted to who works, and waking who is idle. */

const task = (subject: string) => ({ subject });
const TEAM = { members: [coder('alice'), coder('bob')] };

const said = (messages: readonly { from: string; content: string }[]) => messages.map(({ from, content }) => `${from}: ${content}`);

describe('a message', () => {
  it('is posted to a member that works while its sender works, too', async () => {
    const read: string[] = [];
    const member = each({
      async alice({ takes, send }) {
        await takes(1000);
        await send({ to: 'bob', content: 'mind the gap' });
        await takes(60_000);
      },
      async bob({ takes, inbox }) {
        read.push(...said(await inbox()));
        await takes(2000);
        read.push(...said(await inbox()));
        read.push(...said(await inbox()));
      },
    });
    const played = playBoard({ tasks: [task('one'), task('two')], member, step: TEAM });
    await toTheEnd(played);
    expect(read).toEqual(['alice: mind the gap']);
    expect(played.works).toHaveLength(2);
    expect(rows(played, 'messages')).toEqual([]);
    expect(notes(played, 'sent')).toMatchObject([{ from: 'alice', to: 'bob', type: 'message' }]);
  });

  it('begins a WORK of a member that is idle', async () => {
    const member = each({
      async alice({ text, takes, send }) {
        if (!text.includes('Task')) return;
        await takes(1000);
        await send({ to: 'bob', content: 'look at it' });
      },
    });
    const played = playBoard({ tasks: [task('one')], member, step: TEAM });
    await toTheEnd(played);
    expect(played.works).toEqual([
      'alice: <auto-claimed>Task #1: one</auto-claimed>',
      expect.stringMatching(/^bob: <inbox>\n\{"type":"message","from":"alice","content":"look at it",.*\}\n<\/inbox>$/),
    ]);
  });

  it.each([
    ['nobody', 'nobody in the team is called nobody; there are alice, bob'],
    ['carol', 'carol has shut down; there are alice, bob'],
  ])('to %s comes back into the inbox of its sender, with the reason, and is in the output', async (to, reason) => {
    const read: string[] = [];
    const member = each({
      async alice({ text, takes, send, inbox }) {
        if (!text.includes('Task')) return;
        await takes(70_000);
        await send({ to, content: 'hello' });
        await takes(1000);
        read.push(...said(await inbox()));
      },
      async bob({ takes }) {
        await takes(100_000);
      },
    });
    const played = playBoard({ tasks: [task('one'), task('two')], member, step: { members: [...TEAM.members, coder('carol')] } });
    await toTheEnd(played);
    expect(read).toEqual([`(board): your message to ${to} was not delivered: ${reason}. It said: hello`]);
    expect(rows(played, 'messages')).toMatchObject([{ from: 'alice', to, type: 'message', reason }]);
  });

  it('to everybody reaches each once: who works, and who is idle', async () => {
    const read: string[] = [];
    const member = each({
      async alice({ text, takes, send }) {
        if (!text.includes('Task')) return;
        await takes(1000);
        await send({ type: 'broadcast', content: 'hear' });
      },
      async bob({ takes, inbox }) {
        await takes(5000);
        read.push(...said(await inbox()));
      },
    });
    const step = { members: [...TEAM.members, coder('carol')] };
    const played = playBoard({ tasks: [task('one'), task('two')], member, step });
    await toTheEnd(played);
    expect(read).toEqual(['alice: hear']);
    expect(played.works.filter((work) => work.includes('hear'))).toEqual([expect.stringMatching(/^carol: <inbox>/)]);
  });

  it('that its reader has not looked at when its WORK ends begins the next one', async () => {
    const member = each({
      async alice({ text, send }) {
        if (text.includes('Task')) await send({ to: 'bob', content: 'too late for this WORK' });
      },
      async bob({ takes }) {
        await takes(5000);
      },
    });
    const played = playBoard({ tasks: [task('one'), task('two')], member, step: TEAM });
    await toTheEnd(played);
    expect(played.works.filter((work) => work.includes('too late'))).toEqual([expect.stringMatching(/^bob: <inbox>/)]);
  });

  it.each(['before it asks', 'at its end'])('is taken up without a wake if the call of its sender has it %s', async (when) => {
    const sends = async ({ send }: Work) => {
      await send({ to: 'bob', content: 'without a wake' });
      await send({ to: 'nobody', content: 'hello' });
    };
    const member: Member = async (work) => {
      const isTask = work.text.includes('Task');
      if (isTask && when === 'before it asks') await sends(work);
      const output = await completes(work);
      if (isTask && when === 'at its end') await sends(work);
      return output;
    };
    const played = playBoard({ tasks: [task('one')], member, step: TEAM, isDeaf: true });
    await toTheEnd(played);
    expect(played.works.filter((work) => work.includes('without a wake'))).toEqual([expect.stringMatching(/^bob: <inbox>/)]);
    expect(played.works.filter((work) => work.includes('not delivered'))).toEqual([expect.stringMatching(/^alice: <inbox>/)]);
  });

  it('is taken up before what its sender asks after it, though no wake arrives', async () => {
    const member: Member = async (work) => {
      if (work.text.includes('Task')) await work.send({ to: 'bob', content: 'first' });
      return completes(work);
    };
    const played = playBoard({ tasks: [task('one')], member, step: TEAM, isDeaf: true });
    await toTheEnd(played);
    const order = played.world.journal().flatMap((entry) => (entry.kind === 'board' ? [entry.event] : []));
    expect(order.filter((event) => event === 'sent' || event === 'completed')).toEqual(['sent', 'completed']);
  });

  it('is from who has sent it, whatever it says', async () => {
    const member = each({
      async alice({ text, send }) {
        if (text.includes('Task')) await send({ from: 'lead', to: 'bob', content: 'end' });
      },
    });
    const played = playBoard({ tasks: [task('one')], member, step: TEAM });
    await toTheEnd(played);
    expect(notes(played, 'sent')).toMatchObject([{ from: 'alice', to: 'bob' }]);
  });
});

it('a forged wake of a member changes nothing', async () => {
  const member = each({
    async alice({ text, takes, send }) {
      if (!text.includes('Task')) return;
      await send({ to: 'bob', content: 'once' });
      await takes(60_000);
    },
    async bob({ takes }) {
      await takes(30_000);
    },
  });
  const played = playBoard({ tasks: [task('one'), task('two')], member, step: TEAM });
  await played.world.settle();
  const board = () => played.world.step('team');
  const before = structuredClone(board());
  const addresses = played.world.seen.map(({ call }) => call.options.address ?? '');
  for (const step of [...addresses, 'team#1~1', 'team_coder#9~1'])
    for (const name of ['thermidor:child', 'thermidor:spawned'])
      for (const payload of [{ step }, { step, exchanges: [{ sent: { id: 'x', to: 'bob', content: 'forged' } }] }])
        played.world.signal(name, payload);
  await played.world.settle();
  expect(board()).toEqual(before);
  await toTheEnd(played);
  expect(notes(played, 'sent')).toHaveLength(1);
  expect(played.works.filter((work) => work.includes('once'))).toHaveLength(1);
});

it('continues in a fresh execution at every wait: each message is delivered once', async () => {
  const fresh = freshly();
  const read: string[] = [];
  const member = each({
    async alice({ text, ask, takes, send }) {
      if (!text.includes('Task')) return;
      for (const n of [1, 2, 3]) {
        await takes(1000);
        await send({ to: 'bob', content: `news ${n}` });
        // Its call ends here, and another execution may go on.
        await ask({ kind: 'list_tasks' });
      }
      await send({ type: 'broadcast', content: 'all' });
      await send({ to: 'nobody', content: 'lost' });
    },
    async bob({ text, takes, inbox }) {
      if (!text.includes('Task')) return;
      await takes(2500);
      read.push(...said(await inbox()));
    },
  });
  const played = playBoard({
    tasks: [task('one'), task('two')],
    member,
    step: { members: [...TEAM.members, coder('carol')] },
    historyIsFull: fresh.historyIsFull,
  });
  await fresh.toTheEnd(played.world);
  await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
  expect(played.world.executions).toBeGreaterThan(3);
  const all = [...read, ...played.works].join('\n');
  for (const text of ['news 1', 'news 2', 'news 3', 'It said: lost']) expect(all.split(text)).toHaveLength(2);
  expect(all.split(/"all"|: all/)).toHaveLength(3);
  expect(rows(played, 'messages')).toHaveLength(1);
  expect(rows(played, 'tasks')).toMatchObject([{ attempts: 1 }, { attempts: 1 }]);
});
