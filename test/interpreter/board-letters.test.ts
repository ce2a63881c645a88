import type { Json } from '../../plan/text/json';
import { artifact } from '../support/world';
import { coder, completes, each, type Member, notes, type PlayedBoard, playBoard } from './board-play';
import { freshly } from './program';

/** What people write to members of a board that runs, and members to a lead who is a person. */

const TEAM = { members: [coder('alice'), coder('bob')] };
const TASKS = [{ subject: 'one' }, { subject: 'two' }];
/** Reads its inbox after a minute, and again after another. */
const reading =
  (read: string[]): Member =>
  async (work) => {
    if (work.text.includes('Task')) await work.takes(60_000);
    for (const { from, content, type } of await work.inbox()) read.push(`${work.member} ${type} from ${from}: ${content}`);
    return completes(work);
  };
const taking =
  (ms: number): Member =>
  async (work) => {
    await work.takes(ms);
    return completes(work);
  };
const playing = async (more: Parameters<typeof playBoard>[0] = {}): Promise<PlayedBoard> => {
  const played = playBoard({ tasks: TASKS, step: TEAM, member: reading([]), ...more });
  await played.world.settle();
  return played;
};
const shown = ({ world }: PlayedBoard) => world.step('team').board;
const message = ({ world }: PlayedBoard, payload: Json) => world.update('message', payload);

describe('a message from a person', () => {
  it('reaches a member that works', async () => {
    const read: string[] = [];
    const played = await playing({ member: reading(read) });
    await expect(message(played, { to: 'bob', content: 'mind the gap', from: 'fran' })).resolves.toEqual({
      outcome: 'applied',
      step: 'team',
    });
    await played.world.elapse();
    expect(read).toEqual(['bob message from fran: mind the gap']);
  });

  it('may be anything that is JSON, and is long only in the store', async () => {
    const read: string[] = [];
    const fresh = freshly();
    const played = await playing({ member: reading(read), historyIsFull: fresh.historyIsFull });
    const content = 'x'.repeat(60_000);
    await message(played, { to: 'bob', content: { price: [1, 2] }, from: 'fran' });
    await message(played, { to: 'bob', content, from: 'fran' });
    expect(played.world.resultOf(artifact('message to bob').sha256)).toBe(content);
    await fresh.toTheEnd(played.world);
    expect(read).toEqual(['bob message from fran: {"price":[1,2]}', `bob message from fran: ${content}`]);
    expect(JSON.stringify(played.world.states)).not.toContain(content);
  });

  it('is sent twice if it is said twice', async () => {
    const read: string[] = [];
    const played = await playing({ member: reading(read) });
    for (let i = 0; i < 2; i++) played.world.signal('message', { to: 'alice', content: 'again' });
    await played.world.elapse();
    expect(read).toEqual(['alice message from human: again', 'alice message from human: again']);
  });

  it('to "lead" reaches the agent that leads', async () => {
    const step = { members: [{ name: 'lena', agent: 'coder', isLead: true as const }, coder('alice')] };
    const played = await playing({ step });
    await message(played, { to: 'lead', content: 'hello' });
    expect(notes(played, 'sent')).toMatchObject([{ from: 'human', to: 'lena' }]);
  });

  it('goes to an agent’s step if no member has the name', async () => {
    const played = await playing();
    await expect(message(played, { to: 'tester', content: 'hello' })).resolves.toEqual({ outcome: 'applied' });
    expect(notes(played, 'sent')).toEqual([]);
  });

  it.each<[string, Json, string]>([
    ['to nobody', { to: 'carol', content: 'x' }, 'nobody in the team is called carol; there are alice, bob'],
    ['from a member', { to: 'alice', content: 'x', from: 'bob' }, '"bob" is a name of the team'],
    ['from a member by its other name', { to: 'alice', content: 'x', by: 'bob' }, '"bob" is a name of the team'],
    ['from the board', { to: 'alice', content: 'x', from: '(board)' }, '"(board)" is a name of the team'],
    ['of a type for members', { to: 'alice', content: 'x', type: 'shutdown_response' }, '"type" must be one of'],
    ['without content', { to: 'alice' }, 'needs "to" and "content"'],
    ['that is huge', { to: 'alice', content: 'x'.repeat(64 * 1024 + 1) }, '"content" has at most 65536 characters'],
    ['that answers a plan', { to: 'alice', content: 'x', type: 'plan_approval_response' }, 'a plan is answered at its gate'],
    ['that says yes', { to: 'alice', content: 'x', approved: true }, 'unknown key "approved"'],
    ['for another step', { to: 'alice', content: 'x', step: 'other' }, 'no board is open in "other"'],
  ])('%s is refused, and nobody gets it', async (_, payload, reason) => {
    const played = await playing();
    await expect(message(played, payload)).rejects.toMatchObject({ message: expect.stringContaining(reason) });
    played.world.signal('message', payload);
    await played.world.settle();
    expect(shown(played)?.members.map(({ unread }) => unread)).toEqual([0, 0]);
    expect(notes(played, 'sent')).toEqual([]);
  });

  it('to a member that has shut down is refused with who is there', async () => {
    const played = await playing({ tasks: TASKS.slice(1), member: taking(100_000) });
    await played.world.elapse(() => shown(played)?.members.some(({ status }) => status === 'shutdown') === true);
    await expect(message(played, { to: 'bob', content: 'x' })).rejects.toMatchObject({
      message: expect.stringContaining('bob has shut down; there are alice'),
    });
  });

  it('to a full inbox is refused with the reason', async () => {
    const played = await playing();
    for (let i = 0; i < 1001; i++) played.world.signal('message', { to: 'bob', content: `${i}` });
    await played.world.settle();
    const refused = played.world.journal().filter((entry) => entry.kind === 'signal' && entry.outcome === 'refused');
    expect(refused).toMatchObject([{ reason: expect.stringContaining('the inbox of bob is full') }]);
  });
});

describe('a person', () => {
  it('asks a member to shut down, which ends it when it does not answer in time', async () => {
    const played = await playing({ member: taking(3_600_000), tasks: TASKS.slice(1) });
    await message(played, { to: 'alice', type: 'shutdown_request', from: 'fran' });
    await played.world.elapse(() => shown(played)?.members[0]?.status === 'shutdown');
    expect(notes(played, 'shutdown')).toContainEqual(
      expect.objectContaining({ member: 'alice', reason: expect.stringContaining('in time') }),
    );
    expect(notes(played, 'returned')).toMatchObject([{ task: 1, by: 'alice' }]);
  });

  it('sees why a member does not shut down', async () => {
    const member = each({
      async alice({ inbox, send, takes }) {
        await takes(60_000);
        const [request] = await inbox();
        const requestId = request?.requestId ?? '';
        if (request) await send({ type: 'shutdown_response', to: 'fran', requestId, approved: false, content: 'almost done' });
      },
    });
    const played = await playing({ member, tasks: TASKS.slice(1) });
    await message(played, { to: 'alice', type: 'shutdown_request', from: 'fran' });
    await played.world.elapse(() => shown(played)?.completed === 1);
    expect(shown(played)?.toPeople).toMatchObject([{ from: 'alice', to: 'fran', content: 'almost done' }]);
  });

  it('who leads sees what members write to the lead, in a channel and with what the team waits for', async () => {
    const member = each({
      async alice({ text, send, takes }) {
        if (!text.includes('Task')) return;
        await send({ to: 'lead', content: 'the key is missing' });
        await takes(60_000);
      },
    });
    const played = await playing({ member, tasks: TASKS.slice(1) });
    await played.world.settle();
    expect(shown(played)?.toPeople).toEqual([{ from: 'alice', to: 'lead', content: 'the key is missing', at: expect.any(String) }]);
    expect(JSON.stringify(played.world.journal())).toContain('alice to the lead of research: the key is missing');
  });

  it('has it in the inbox until a person writes to the member', async () => {
    const member: Member = async (work) => {
      const { text, member: name, send, takes } = work;
      if (!text.includes('Task')) return completes(work);
      await send({ to: 'lead', content: 'shall I?', ...(name === 'alice' ? { whole: artifact('all of it') } : {}) });
      await takes(60_000);
      return completes(work);
    };
    const played = await playing({ member });
    const letters = () => played.world.published.memo?.letters;
    const shared = { step: 'team', to: 'lead', at: expect.any(String) };
    expect(letters()).toEqual([
      { ...shared, from: 'alice', content: 'shall I?', isCut: true },
      { ...shared, from: 'bob', content: 'shall I?' },
    ]);
    await message(played, { to: 'alice', content: 'go on', from: 'fran' });
    expect(letters()).toMatchObject([{ from: 'bob' }]);
    expect(shown(played)?.toPeople).toMatchObject([{ from: 'bob' }]);
    expect(played.world.query('boards', { inbox: 'lead' })).toMatchObject({
      boards: [{ inbox: [{ from: 'alice', answered: true }, { from: 'bob' }] }],
    });
    await played.world.elapse();
    expect(letters()).toBeUndefined();
  });

  it('has only the last ten in the inbox', async () => {
    const member = each({
      async alice({ text, send, takes }) {
        if (!text.includes('Task')) return;
        for (let i = 1; i <= 12; i++) await send({ to: 'lead', content: `question ${i}` });
        await takes(60_000);
      },
    });
    const played = await playing({ member, tasks: TASKS.slice(1) });
    const letters = played.world.published.memo?.letters ?? [];
    expect(letters.map(({ content }) => content)).toEqual(Array.from({ length: 10 }, (_, at) => `question ${at + 3}`));
  });
});
