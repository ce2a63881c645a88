import { createHmac } from 'node:crypto';
import { inSweep } from '../support/sweep';
import { untilStatus } from './support/runs';
import { Scratch, SET_UP_MS } from './support/scratch';

/** Web hooks from `schedule apply` to a run, with listeners that are killed while deliveries come. */
const SECRET = 'the secret of the service';
const BURST = 40;

interface Answer {
  outcome: string;
  run: string;
}

inSweep.describe('web hooks', () => {
  let scratch: Scratch;

  beforeAll(async () => {
    scratch = await Scratch.onSharedServer();
    scratch.write('thermidor.yaml', JSON.stringify({ callbacks: { port: 0 } }));
    const trigger = { webhook: 'events', signature: 'github', secret: 'secret://env/HOOK', rate: 6000, args: { n: '$body' } };
    const file = { name: 'note', args: { n: {} }, trigger, steps: [{ id: 'note', run: `echo x >> '${scratch.path('notes')}'` }] };
    scratch.write('pipelines/note.yaml', JSON.stringify(file));
    expect(await scratch.ask('schedule', 'apply')).toMatchObject({ code: 0 });
  }, SET_UP_MS);
  afterAll(() => scratch.close());

  /** A listener alone, in a process of its own. */
  const listen = async () => {
    const program = scratch.thermidorWith({ HOOK: SECRET }, 'worker', '--role', 'callbacks');
    const url = await program.until('it listens', () => /callbacks at (\S+),/.exec(program.err)?.[1]);
    return { program, url };
  };

  const post = (url: string, body: string): Promise<Response> => {
    const mac = createHmac('sha256', SECRET).update(body).digest('hex');
    const headers = { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${mac}` };
    return fetch(`${url}/hooks/events`, { method: 'POST', body, headers });
  };
  const taken = async (url: string, body: string): Promise<Answer | undefined> => {
    try {
      const response = await post(url, body);
      return response.status === 200 ? ((await response.json()) as Answer) : undefined;
    } catch {
      // The listener was killed.
      return undefined;
    }
  };

  it('a delivery is one run, whichever listener it comes to, and however often one is killed', async () => {
    const [one, other] = await Promise.all([listen(), listen()]);
    const bodies = Array.from({ length: BURST }, (_, n) => String(n));
    let answers = 0;
    const first = await Promise.all(
      bodies.flatMap((body) =>
        [one.url, other.url].map(async (url) => {
          const answer = await taken(url, body);
          if (++answers === BURST / 2) void other.program.kill();
          return answer?.run;
        }),
      ),
    );
    const again = await Promise.all(bodies.map((body) => taken(one.url, body)));
    expect(again.map((answer) => answer?.outcome)).toEqual(bodies.map(() => 'again'));
    const runs = new Set(again.map((answer) => answer?.run));
    expect(runs.size).toBe(BURST);
    expect(first.filter((run) => run !== undefined && !runs.has(run))).toEqual([]);

    // No worker was there: each run begins once there is one.
    scratch.follow('worker');
    for (const run of runs) await untilStatus(scratch, run ?? '', 'it ended', ({ state }) => state === 'completed');
    expect(scratch.lines('notes')).toHaveLength(BURST);
  });

  it('only a delivery starts its runs, and none does while it is paused', async () => {
    expect(await scratch.ask('schedule', 'trigger', 'note')).toMatchObject({ code: 1 });
    expect(await scratch.json('schedule', 'list')).toMatchObject({ schedules: [{ schedule: 'note', deliveries: '/hooks/events' }] });
    expect(await scratch.ask('schedule', 'pause', 'note')).toMatchObject({ code: 0 });
    const { url } = await listen();
    expect((await post(url, '"paused"')).status).toBe(503);
  });
});
