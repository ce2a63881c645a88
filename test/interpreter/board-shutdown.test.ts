import { coder, each, notes, type PlayedBoard, playBoard, rows, toTheEnd, type Work } from './board-play';

/** A request to shut down through a run: the lead asks, and the member answers in time, or too late. */

const task = (subject: string) => ({ subject });
const LED = [{ name: 'lead', agent: 'coder', isLead: true as const }, coder('alice'), coder('bob')];

describe('a request to shut down', () => {
  const asks = (ms: number) => async (work: Work) => {
    if (!work.text.includes('no task for you yet')) return;
    await work.takes(ms);
    await work.send({ type: 'shutdown_request', to: 'alice', content: 'please end', requestId: 'end-alice' });
    await work.takes(1000);
  };
  const answers = (approved: boolean, ms: number) => async (work: Work) => {
    await work.takes(ms);
    for (const { requestId = '' } of await work.inbox())
      await work.send({ type: 'shutdown_response', to: 'lead', content: 'so be it', requestId, approved });
  };
  const requests = (played: PlayedBoard) => notes(played, 'request').flatMap((entry) => ('state' in entry ? [`${entry.state}`] : []));

  it('that is approved ends the member after its task', async () => {
    const played = playBoard({
      tasks: [task('one')],
      member: each({ lead: asks(1000), alice: answers(true, 2000) }),
      step: { members: LED.slice(0, 2) },
    });
    await toTheEnd(played);
    expect(requests(played)).toEqual(['pending', 'approved']);
    expect(rows(played, 'tasks')).toMatchObject([{ status: 'completed', owner: 'alice', attempts: 1 }]);
    expect(played.works.filter((work) => work.startsWith('lead: <inbox>'))).toEqual([expect.stringContaining('"approved":true')]);
  });

  it('that is rejected ends nobody', async () => {
    const played = playBoard({
      tasks: [task('one'), task('two'), task('three')],
      member: each({ lead: asks(1000), alice: answers(false, 2000) }),
      step: { members: LED.slice(0, 2) },
    });
    await toTheEnd(played);
    expect(requests(played)).toEqual(['pending', 'rejected']);
    expect(rows(played, 'tasks')).toMatchObject([{ owner: 'alice' }, { owner: 'alice' }, { owner: 'alice' }]);
  });

  it.each([
    [299_999, ['pending', 'approved'], 'alice', 1],
    [300_001, ['pending', 'expired'], 'bob', 2],
  ])('that is answered after %d ms', async (ms, states, owner, attempts) => {
    const member = each({
      lead: asks(1000),
      async alice(work) {
        // The request came after a second.
        await answers(true, 1000 + ms)(work);
      },
      async bob({ text, takes }) {
        if (text.includes('#2')) await takes(400_000);
      },
    });
    const played = playBoard({ tasks: [task('one'), task('two')], member, step: { members: LED } });
    await toTheEnd(played);
    expect(requests(played)).toEqual(states);
    expect(rows(played, 'tasks')).toMatchObject([
      { status: 'completed', owner, attempts },
      { status: 'completed', owner: 'bob' },
    ]);
    const [first] = played.world.seen.filter(({ input }) => input.member?.name === 'alice');
    expect(first?.call.signal.aborted).toBe(owner === 'bob');
  });
});
