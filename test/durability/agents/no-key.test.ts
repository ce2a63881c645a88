import { say } from '../../support/messages-server/served';
import { startMessagesServer } from '../../support/messages-server/server';
import { inSweep } from '../../support/sweep';
import { runOf, status, untilListed } from '../support/runs';
import { Scratch, SET_UP_MS } from '../support/scratch';

/**
 * Somebody continues a live run where its key is missing: every request to an agent is refused before it is made, and nothing is lost.
 */
const PIPELINE = `name: two
owner: desk
steps:
  - {id: draft, agent: desk}
  - {id: ok, type: approval, prompt: Go on?}
  - {id: final, agent: desk}
`;
const NO_KEY = { DESK_KEY: '' };
let scratch: Scratch;
let server: Awaited<ReturnType<typeof startMessagesServer>>;

beforeAll(async () => {
  server = await startMessagesServer(() => say('done'));
  scratch = await Scratch.make({ DESK_KEY: server.key });
  const settings = { adapters: { anthropic: { base_url: server.url, key: 'secret://env/DESK_KEY', model: 'model-1' } } };
  scratch.write('thermidor.yaml', JSON.stringify(settings));
  scratch.write('pipelines/two.yaml', PIPELINE);
  scratch.write('pipelines/agents/desk.yaml', 'role: Works.\n');
  await scratch.keepServer();
}, SET_UP_MS);
afterAll(async () => {
  await scratch.close();
  await server.close();
});

inSweep.test('orders after which agents are asked are refused where their key is not, and hold where it is', async () => {
  const running = scratch.follow('run', 'two', '--live');
  const run = await runOf(running);
  expect(await running.finished).toMatchObject({ code: 3 });
  await untilListed(scratch, ['--waiting'], 'the gate is listed', (runs) => runs.length === 1);

  for (const order of [
    ['approve', run, 'ok'],
    ['rerun', run, '--from', 'draft'],
    ['approve', '--all'],
  ]) {
    const { code, out } = await scratch.askWith(NO_KEY, ...order, '--json');
    expect([order[0], code]).toEqual([order[0], 4]);
    expect(JSON.parse(out)).toMatchObject({
      error: { code: 'secret.missing', details: { problems: [expect.stringContaining('DESK_KEY')] } },
    });
  }
  expect(server.requests).toHaveLength(1);

  expect(await scratch.ask('approve', run, 'ok', '--by', 'chairman')).toMatchObject({ code: 0 });
  expect(await status(scratch, run)).toMatchObject({ state: 'completed' });
  expect(server.requests).toHaveLength(2);
});
