import { connectClient, type ThermidorClient } from '../../client/connect';
import { startRun } from '../../client/start-run';
import { startDetached } from '../durability/support/runs';
import { SET_UP_MS } from '../durability/support/scratch';
import { until } from '../durability/support/until';
import { aloud, printTable } from './aloud';
import { Fleet } from './fleet';
import { MOST_MS, STORES_TO_PROVE } from './sizes';
import { COLLECTS, type Cost, Watch } from './watch';

/**
 * `npm run chaos`: one worker and much work. A late step costs what an early one costs, and the worker's memory does not grow.
 * `CHAOS_SCALE` makes all of it smaller: 0.1 is a tenth.
 */
const SCALE = Number(process.env['CHAOS_SCALE'] ?? 1);
const STEPS = 10_000 * SCALE;
const RUNS = 1000 * SCALE;
const GATES = 2000 * SCALE;
const AT_ONCE = 25;
/** How much more a late step may take than an early one. */
const LATE_BY_EARLY = 1.2;
/** How much more memory the last quarter may take than the quarter before. Less is no fault: gates that are answered go away. */
const MEMORY = 0.1;

describe.each(STORES_TO_PROVE)('store: %s', (store) => {
  let fleet: Fleet;
  let client: ThermidorClient;
  beforeAll(async () => {
    fleet = await Fleet.start(store, ['a'], { preload: COLLECTS, say: aloud });
    client = await connectClient({ address: fleet.address, namespace: 'default' });
  }, SET_UP_MS);
  afterAll(async () => {
    await client.close();
    await fleet.close();
  });

  const done = (): number => fleet.scratch.lines('done').length;
  const step = (id: string) => ({ id, run: `echo . >> '${fleet.scratch.path('done')}'` });
  const host = () => {
    const [first] = fleet.hosts;
    if (!first) throw new RangeError('there is no host');
    return first;
  };

  async function startAll(pipeline: string, count: number): Promise<void> {
    for (let from = 0; from < count; from += AT_ONCE) {
      const some = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, i) => String(from + i).padStart(6, '0'));
      await Promise.all(some.map((n) => startRun(client, { workflowId: `${pipeline}-20260101-${n}`, pipeline })));
    }
  }

  function printFigures(
    title: string,
    { early, late, memory }: { early: Cost; late: Cost; memory: { meanMb: number; growth: number } },
  ): void {
    const two = (value: number): number => Number(value.toPrecision(3));
    printTable(`${title}, store: ${store}`, {
      'processor time of an early step, ms': two(early.cpuMs),
      'of a late one, by an early one': two(late.cpuMs / early.cpuMs),
      'an early step by the clock, ms': two(early.wallMs),
      'a late one, by an early one': two(late.wallMs / early.wallMs),
      'memory in the last quarter, MB': two(memory.meanMb),
      'more than in the quarter before, as a share': two(memory.growth),
    });
  }

  const counted = async (query: string): Promise<number> => (await client.temporal.workflow.count(query)).count;

  test(
    `a sequence of ${STEPS} steps`,
    async () => {
      fleet.scratch.write(
        'pipelines/long.yaml',
        JSON.stringify({ name: 'long', steps: Array.from({ length: STEPS }, (_, n) => step(`s${n}`)) }),
      );
      const watch = Watch.of(host(), done);
      const run = await startDetached(fleet.scratch, 'long');
      await fleet.untilEnded([run], MOST_MS);
      const seen = watch.end();
      const [early, late] = [seen.cost(0.1 * STEPS, 0.4 * STEPS), seen.cost(0.65 * STEPS, 0.95 * STEPS)];
      printFigures(`a sequence of ${STEPS} steps`, { early, late, memory: seen.memory() });
      expect(done()).toBe(STEPS);
      expect(late.cpuMs / early.cpuMs).toBeLessThan(LATE_BY_EARLY);
      expect(seen.memory().growth).toBeLessThan(MEMORY);
    },
    MOST_MS,
  );

  test(
    `${RUNS} runs at once`,
    async () => {
      fleet.scratch.write('pipelines/short.yaml', JSON.stringify({ name: 'short', steps: [step('one'), step('two'), step('three')] }));
      const before = done();
      const watch = Watch.of(host(), () => done() - before);
      await startAll('short', RUNS);
      const query = "ThermidorPipeline = 'short' AND ThermidorState = 'completed'";
      await until('all have ended', async () => (await counted(query)) === RUNS, MOST_MS);
      const seen = watch.end();
      const [early, late] = [seen.cost(0.3 * RUNS, 1.2 * RUNS), seen.cost(1.95 * RUNS, 2.85 * RUNS)];
      printFigures(`${RUNS} runs at once`, { early, late, memory: seen.memory() });
      expect(done() - before).toBe(3 * RUNS);
      expect(late.cpuMs / early.cpuMs).toBeLessThan(LATE_BY_EARLY);
      expect(seen.memory().growth).toBeLessThan(MEMORY);
    },
    MOST_MS,
  );

  test(
    `${GATES} open gates`,
    async () => {
      const steps = [{ id: 'ask', type: 'approval', prompt: 'Shall it go on?', approvers: 'anyone' }, step('after')];
      fleet.scratch.write('pipelines/gate.yaml', JSON.stringify({ name: 'gate', steps }));
      const before = done();
      const waiting = Watch.of(host(), done);
      await startAll('gate', GATES);
      await until('all wait', async () => (await counted("ThermidorPipeline = 'gate' AND ThermidorState = 'waiting'")) === GATES, MOST_MS);
      const opened = waiting.end();
      const watch = Watch.of(host(), () => done() - before);
      const answered = await fleet.scratch.ask('approve', '--all', '--pipeline', 'gate', '--by', 'ann');
      expect(answered).toMatchObject({ code: 0 });
      await until(
        'all have ended',
        async () => (await counted("ThermidorPipeline = 'gate' AND ThermidorState = 'completed'")) === GATES,
        MOST_MS,
      );
      const seen = watch.end();
      const [early, late] = [seen.cost(0.1 * GATES, 0.4 * GATES), seen.cost(0.65 * GATES, 0.95 * GATES)];
      printFigures(`${GATES} open gates`, { early, late, memory: seen.memory() });
      expect(done() - before).toBe(GATES);
      expect(opened.memory().growth).toBeLessThan(MEMORY);
      expect(late.cpuMs / early.cpuMs).toBeLessThan(LATE_BY_EARLY);
      expect(seen.memory().growth).toBeLessThan(MEMORY);
    },
    MOST_MS,
  );
});
