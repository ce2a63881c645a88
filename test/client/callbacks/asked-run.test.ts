import { DirectorySeals } from '../../../activities/adapters/seals';
import { runPorts } from '../../../client/callbacks/run-ports';
import type { ThermidorClient } from '../../../client/connect';
import type { GateView } from '../../../plan/people/gate';
import type { GateLink } from '../../../plan/people/notice';
import { approval } from '../../support/steps';
import { planOf, runPlan, type World } from '../../support/world';
import { type Bench, bench, byDiscord, bySlack, interaction, KEY, SERVICE_KEY } from './listener';

const START = Date.parse('2026-01-05T07:30:00.000Z');

/** What a press in a chat asks of its run, and in which order, over a run in memory. */
const PRESSES: Record<'slack' | 'discord', (at: Bench, now: number) => Promise<Response>> = {
  slack: (at, now) => {
    const actions = [{ value: `thermidor:approve:${KEY}` }];
    const body = new URLSearchParams({ payload: JSON.stringify({ type: 'block_actions', user: { id: 'U1' }, actions }) }).toString();
    return at.post('/slack', body, bySlack(body, now));
  },
  discord: (at, now) => {
    const body = interaction('approve');
    return at.post('/discord', body, byDiscord(at, body, now));
  },
};

/** A client of a run in memory that notes each request to the server. */
function counting(world: World, asked: string[]): ThermidorClient {
  const handle = {
    describe: async () => {
      asked.push('describe');
      return { workflowId: 'test-run', runId: 'r', type: 'p', startTime: new Date(START), status: { name: 'RUNNING' }, raw: {} };
    },
    query: async (name: string) => {
      asked.push(`query ${name}`);
      return world.query(name);
    },
    executeUpdate: async (name: string, { args: [payload] }: { args: [object] }) => {
      asked.push(`update ${name}`);
      return await world.update(name, payload);
    },
  };
  const call = (request: () => unknown) => request();
  return { call, temporal: { workflow: { getHandle: () => handle } } } as unknown as ThermidorClient;
}

test.each(['slack', 'discord'] as const)('an approval in %s asks its run and the server once each before it is applied', async (chat) => {
  const seals = new DirectorySeals({}, { resolve: async (text) => text }, async () => SERVICE_KEY);
  const world = runPlan(planOf([approval('ask', { approvers: ['chairman'], identity: 'proven' })]), {
    checkProof: async ({ sealed, proof }) => {
      const problem = await seals.check(sealed, proof);
      return problem === undefined ? {} : { problem };
    },
  });
  await world.settle();
  const [view] = world.query('gates') as GateView[];
  const link: GateLink = { ...(view as GateView), run: 'test-run', channel: '#desk' };
  const asked: string[] = [];
  const now = START + 1000;
  const ports = { ...runPorts(counting(world, asked)), gateFor: async () => link, now: () => now };
  const at = await bench({ ports });
  try {
    await PRESSES[chat](at, now);
    await world.result;
    expect(asked).toEqual(['describe', 'query gates', 'update approve']);
  } finally {
    await at.close();
  }
});
