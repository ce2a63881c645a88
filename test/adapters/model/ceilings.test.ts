import { inputBound } from '../../../activities/adapters/model/input-token-bound';
import { modelAdapter } from '../../../activities/adapters/model/model-adapter';
import { BrokenReply } from '../../../activities/adapters/model/service';
import type { AgentRequest, ReplyBound } from '../../../activities/agent-port';
import { ThermidorFailure } from '../../../plan/run/failure';
import type { Turn } from '../../../records/transcripts/turn';
import { asked } from './request';
import { run } from './run';
import { fakeService, READ, used } from './service';

const analyst = { id: 'analyst', role: 'You watch prices.', model: 'm' };

/** A budget that allows replies of this length, and notes the questions it gets. */
function budget(
  ...rooms: readonly number[]
): Pick<Required<AgentRequest>, 'reserve' | 'unpaid' | 'unlimited'> & { seen: ReplyBound[]; said: string[] } {
  const seen: ReplyBound[] = [];
  const said: string[] = [];
  return {
    seen,
    said,
    async reserve(reply) {
      seen.push(reply);
      const room = Math.min(reply.wanted, rooms[Math.min(seen.length, rooms.length) - 1] ?? reply.wanted);
      if (room < reply.least) throw new Error('held');
      return room;
    },
    unpaid: async () => void said.push('unpaid'),
    unlimited: () => {
      said.push('unlimited');
      throw new Error('held: unlimited');
    },
  };
}

describe('a reply under a ceiling', () => {
  test.each([
    ['1,024 tokens', {}, 1024, 16_000],
    ['what the agent lets it be, where that is less', { replyTokens: 500 }, 500, 500],
    ['that and what is thought', { thinkingTokens: 2000 }, 3024, 18_000],
    ['no more than the agent lets it be', { replyTokens: 2000, thinkingTokens: 1500 }, 2000, 2000],
  ])('is of use from %s', async (_what, limits, least, wanted) => {
    const { seen, ...own } = budget();
    await run(modelAdapter(fakeService({ text: '42' })), asked({ agent: { ...analyst, limits }, ...own }));
    expect(seen).toMatchObject([{ least, wanted }]);
  });

  test('is let be no longer than what is left, and is not asked for if that is too short', async () => {
    const service = fakeService({ text: '42' });
    await run(modelAdapter(service), asked({ agent: analyst, ...budget(2000) }));
    expect(service.requests[0]?.maxTokens).toBe(2000);
    await expect(run(modelAdapter(service), asked({ agent: analyst, ...budget(1000) }))).rejects.toThrow('held');
    expect(service.requests).toHaveLength(1);
  });

  test('that its limit has cut is asked for again whole, and what it cost is reported', async () => {
    const service = fakeService({ text: 'half', stop: 'cut', usage: used(10, 2000) }, { text: 'whole' });
    const { seen, ...own } = budget(2000, 16_000);
    const one = asked({ agent: analyst, ...own });
    await run(modelAdapter(service), one);
    expect(seen[1]?.least).toBe(16_000);
    expect(one.transcript.slice(1)).toMatchObject([{ stop: 'broken', text: '', usage: used(10, 2000) }, { text: 'whole' }]);
    expect(service.requests[1]?.turns).toEqual(service.requests[0]?.turns);
  });

  test('that its limit has cut holds if the whole of it is not left, and again after a crash', async () => {
    const service = fakeService({ text: 'half', stop: 'cut', usage: used(10, 2000) });
    const one = asked({ agent: analyst, ...budget(2000) });
    await expect(run(modelAdapter(service), one)).rejects.toThrow('held');
    await expect(run(modelAdapter(service), asked({ agent: analyst, transcript: one.transcript, ...budget(2000) }))).rejects.toThrow(
      'held',
    );
    expect(service.requests).toHaveLength(1);
  });

  test.each([
    ['the agent’s own limit', { agent: { ...analyst, limits: { replyTokens: 500 } } }, {}],
    ['the service’s own limit', { agent: analyst, ...budget(2000) }, { ownLimit: true }],
  ] as const)('that %s has cut is a reply', async (_whose, asking, more) => {
    const one = asked(asking);
    await run(modelAdapter(fakeService({ text: 'half', stop: 'cut', ...more })), one);
    expect(one.transcript.at(-1)).toMatchObject({ text: 'half', stop: 'cut' });
  });

  test('whose calls are whole if it was cut goes on with them', async () => {
    const service = fakeService({ ...READ, stop: 'cut' }, { text: 'done' });
    const one = asked({ agent: analyst, ...budget(2000) });
    await run(modelAdapter(service), one);
    expect(one.made).toHaveLength(1);
    expect(one.transcript.at(-1)).toMatchObject({ text: 'done' });
  });

  test('of a service that makes longer ones than it is let is not limited from then on', async () => {
    const { said, ...own } = budget(2000);
    const adapter = modelAdapter(fakeService({ ...READ, usage: used(10, 2001) }));
    await expect(run(adapter, asked({ agent: analyst, ...own }))).rejects.toThrow('held: unlimited');
    expect(said).toEqual(['unlimited']);
  });

  test('of a service that takes no limit is held, and gives back what was reserved', async () => {
    const { said, ...own } = budget();
    const service = fakeService((request) => {
      request.unlimited?.();
      return {};
    });
    await expect(run(modelAdapter(service), asked({ agent: analyst, ...own }))).rejects.toThrow('held: unlimited');
    expect(said).toEqual(['unlimited', 'unpaid']);
  });

  test.each([
    ['that was refused with a status', new ThermidorFailure('model.api-error', 'no', { status: 500 }), ['unpaid']],
    ['that could not be sent', new ThermidorFailure('model.api-error', 'no', { unsent: true }), ['unpaid']],
    ['that a key is missing for', new ThermidorFailure('secret.missing', 'no'), ['unpaid']],
    ['whose connection was lost', new ThermidorFailure('model.api-error', 'no'), []],
    ['that broke off', new BrokenReply(used(5, 1), 'half', new ThermidorFailure('model.api-error', 'no')), []],
  ])('%s gives back what was reserved only where nothing can have been paid', async (_what, error, said) => {
    const own = budget();
    await expect(run(modelAdapter(fakeService(error)), asked({ agent: analyst, ...own }))).rejects.toThrow('no');
    expect(own.said).toEqual(said);
  });

  test('that broke off has used more than was reported', async () => {
    const one = asked({ agent: analyst });
    const broke = new BrokenReply(used(5, 1), 'half', new ThermidorFailure('model.api-error', 'no'));
    await expect(run(modelAdapter(fakeService(broke)), one)).rejects.toThrow('no');
    expect(one.transcript.at(-1)).toMatchObject({ stop: 'broken', usage: { inputTokens: 5, inPart: true } });
  });
});

describe('how much a request has at most', () => {
  const system = 'é'.repeat(10);
  const turns: Turn[] = [{ role: 'user', text: 'x'.repeat(100) }];
  const bound = (more: readonly Turn[], isKnown = true) => inputBound({ system, turns: [...turns, ...more], tools: [] }, () => isKnown);

  test('is at least a token a byte', () => {
    expect(bound([])).toBeGreaterThanOrEqual(20 + 100);
    expect(bound([{ role: 'assistant', text: '€'.repeat(50) }]) - bound([])).toBeGreaterThanOrEqual(150);
  });

  test('is what the last reply had and what is new, if that is known', () => {
    const reply: Turn = { role: 'assistant', text: 'x'.repeat(5000), usage: used(40, 10) };
    expect(bound([reply])).toBeLessThan(200);
    expect(bound([reply, { role: 'user', text: 'y'.repeat(1000) }]) - bound([reply])).toBeGreaterThanOrEqual(1000);
  });

  test.each([
    ['of another conversation', { usage: used(40, 10) }, false],
    ['told in part', { usage: { ...used(40, 10), inPart: true as const } }, true],
    ['not told', {}, true],
  ])('is by its bytes where the usage is %s', (_what, more, isKnown) => {
    expect(bound([{ role: 'assistant', text: 'x'.repeat(5000), ...more }], isKnown)).toBeGreaterThan(5000);
  });

  test('is counted by the service if it can, only when it is asked', async () => {
    const counted: string[] = [];
    const service = { ...fakeService({ text: '42' }), countInput: async ({ system: told }: { system: string }) => counted.push(told) };
    const { seen, ...own } = budget();
    await run(modelAdapter(service), asked({ agent: analyst, ...own }));
    expect(counted).toEqual([]);
    const [reply] = seen;
    expect(await reply?.countInput?.()).toBeLessThan(reply?.input ?? 0);
    expect(counted).toHaveLength(1);
  });
});
