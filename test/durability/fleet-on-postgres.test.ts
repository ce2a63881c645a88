import { join } from 'node:path';
import { atOnce, carry, SPOTLESS } from '../chaos/carry';
import { Fleet } from '../chaos/fleet';
import type { Host } from '../chaos/host';
import { describeOnPostgres } from '../support/on-postgres';
import { inSweep } from '../support/sweep';
import { journal, startDetached, untilStatus } from './support/runs';
import { SET_UP_MS } from './support/scratch';
import { until } from './support/until';

/** The small form of `test/chaos/chaos.proof.ts`. */

describeOnPostgres('two hosts on one database', () => {
  let fleet: Fleet;
  beforeAll(async () => {
    fleet = await Fleet.start('postgres', ['a', 'b']);
  }, SET_UP_MS);
  afterAll(() => fleet.close());

  test('a worker and the database are killed: every run ends, each effect is there once or its repetition is journalled', async () => {
    const { verdict } = await carry(fleet, { supply: atOnce(3), mostMs: SET_UP_MS, mayRepeat: true }, async () => {
      await until('they work', () => fleet.scratch.lines('effects').length > 2);
      await Promise.all([fleet.hosts[0]?.kill(), fleet.killDatabase()]);
    });
    expect(verdict).toEqual(SPOTLESS);
  });

  inSweep.test('an agent stays with its files while their host lives, and learns that it has moved once that has ended', async () => {
    const { scratch } = fleet;
    const line = (what: string): string => `echo "$(pwd) ${what}" >> '${scratch.path('where')}'`;
    const waits = `[ -e '${scratch.path('go')}' ] || sleep 600`;
    const scripts = [`echo notes > mine; ${line('begins')}; ${waits}`, `${line('has $(cat mine)')}; ${waits}`, line('has $(ls)')];
    const calls = scripts.map((script) => ({ tool: 'run', args: { argv: ['sh', '-c', script] } }));
    const agents = { worker: { role: 'You work.', tools: ['run'] } };
    scratch.write(
      'pipelines/files.yaml',
      JSON.stringify({ name: 'files', agents, steps: [{ id: 'ask', agent: 'worker', prompt: 'Work.' }] }),
    );
    scratch.write('pipelines/scripts/files.yaml', JSON.stringify({ replies: { ask: [{ text: 'Done.', calls }] } }));
    const [a, b] = fleet.hosts as [Host, Host];
    for (const host of [a, b]) await host.terminate();
    a.begin();
    const run = await startDetached(scratch, 'files', '--script', 'files');
    await until('it works', () => scratch.lines('where').length === 1);
    b.begin();
    // It serves what stays with its host, and nothing else: the other worker is offered the call.
    await a.kill(undefined, '--queues', 'other');
    await until('it works again', () => scratch.lines('where').length === 2);
    const moves = async () => (await journal(scratch, run)).filter(({ kind }) => kind === 'folder');
    expect(await moves()).toEqual([]);
    scratch.write('go', '');
    await a.terminate();
    await untilStatus(scratch, run, 'it has ended', ({ state }) => state === 'completed');
    const folder = ({ disk }: Host): string => join(disk.state ?? '', 'work', run, 'ask');
    expect(scratch.lines('where')).toEqual([`${folder(a)} begins`, `${folder(a)} has notes`, `${folder(b)} has `]);
    expect(await moves()).toMatchObject([
      { step: 'ask', from: expect.stringMatching(/^host-a-/), host: expect.stringMatching(/^host-b-/) },
    ]);
  });

  test('while the database is away a run waits, and why names it; once it is back the run goes on, and has repeated nothing', async () => {
    const { scratch } = fleet;
    for (const host of fleet.hosts) await host.restart();
    const run = 'away';
    await fleet.begin(run, 'loops');
    const effects = () => scratch.lines('effects').filter((line) => line.startsWith(`${run} `));
    await until('it works', () => effects().length > 0);
    await fleet.withoutDatabase(() =>
      until('why names the database', async () => {
        const { out } = await scratch.ask('why', run);
        return /the store postgres:.* cannot be used/.test(out);
      }),
    );
    await untilStatus(scratch, run, 'it has ended', ({ state }) => state === 'completed');
    expect(effects().sort()).toEqual(
      Object.keys(fleet.sorts['loops']?.effects ?? {})
        .map((word) => `${run} ${word}`)
        .sort(),
    );
  });
});
