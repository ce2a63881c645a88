import { say } from '../../support/messages-server/served';
import { inSweep } from '../../support/sweep';
import { startDetached, untilStatus } from '../support/runs';
import { Scratch, SET_UP_MS } from '../support/scratch';
import { until } from '../support/until';
import { type LiveScratch, liveScratch } from './service';

/** Two workers, six runs of one pipeline, and two of its agents in flight at once. */
const RUNS = ['one', 'two', 'three', 'four', 'five', 'six'];

let live: LiveScratch;
let most = 0;

beforeAll(async () => {
  live = await liveScratch({}, Scratch.onSharedServer);
  const { scratch } = live;
  const settings = { default_adapter: 'anthropic', adapters: { anthropic: { base_url: live.server.url, model: 'model-1' } } };
  scratch.write('thermidor.yaml', JSON.stringify({ ...settings, agents_in_flight: 2 }));
  scratch.write('pipelines/agents/w.yaml', 'role: You work.\n');
  scratch.write('pipelines/wide.yaml', 'name: wide\nsteps:\n  - {id: a, agent: w, output: A.md}\n');
  let inFlight = 0;
  let bothCame: () => void = () => undefined;
  const both = new Promise<void>((resolve) => {
    bothCame = resolve;
  });
  live.serve(async () => {
    inFlight += 1;
    most = Math.max(most, inFlight);
    if (inFlight === 2) bothCame();
    // The first request is answered only once there is a second, and each only after others have had time to come.
    await both;
    await until('every run has begun', async () => (await listed()).length === RUNS.length);
    inFlight -= 1;
    return say('done');
  });
  for (const _ of [1, 2]) scratch.follow('worker');
  for (const id of RUNS) await startDetached(scratch, 'wide', '--live', '--id', id);
  for (const id of RUNS) await untilStatus(scratch, id, 'it has ended', ({ state }) => state === 'completed');
}, SET_UP_MS);

afterAll(() => live.close());

async function listed(): Promise<{ run: string }[]> {
  return (await live.scratch.json<{ runs: { run: string }[] }>('list')).runs;
}

inSweep.test('over both workers never more are in flight than the settings say, and every run comes to its turn', () => {
  expect(most).toBe(2);
  expect(live.server.requests).toHaveLength(RUNS.length);
  expect(live.server.problems).toEqual([]);
});
