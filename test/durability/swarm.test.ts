import { inSweep } from '../support/sweep';
import { keptLiveScratch, leaveOneSilent } from './agents/service';
import { runOf, step, timesRequested, untilStatus } from './support/runs';

/** kill -9 of the process whose agents diagnose. That a lost worker's request alone is made again, `kill-worker.test.ts` shows. */
inSweep.describe('a swarm whose worker is killed', () => {
  const live = keptLiveScratch();

  it('CP-7 · worker killed · goes on with the diagnoses that are there, asks the one that was lost once more, and the fix is applied once', async () => {
    const { scratch } = live();
    for (const name of ['a', 'b', 'c']) scratch.write(`pipelines/agents/${name}.yaml`, 'role: Solves.\n');
    scratch.write(
      'pipelines/mend.yaml',
      `name: mend
steps:
  - {id: build, run: test -e mended, on_error: [swarm(mob), stop]}
  - {id: mob, type: swarm, agents: {a: code, b: disks, c: tests}, verify: test -e mended, on_fail: stop}
output: mob
`,
    );
    const said = (confidence: number) =>
      `{root_cause: a file is missing, confidence: ${confidence}, fix_suggestion: make it ${confidence}}`;
    scratch.write(
      'pipelines/scripts/mending.yaml',
      `replies:
  mob_a: [{json: ${said(0.4)}}]
  mob_b: [{json: ${said(0.9)}}]
  mob_c: [{json: ${said(0.2)}}]
  mob_fix_b: [{json: {applied: true, summary: made}}]
`,
    );
    const isAwaited = leaveOneSilent(live(), { pipeline: 'pipelines/mend.yaml', script: 'mending', at: 'mob_c' });
    const worker = scratch.thermidor('run', 'mend', '--live');
    const run = await runOf(worker);
    await worker.until('the third agent is asked', isAwaited);
    const before = await untilStatus(
      scratch,
      run,
      'the others have answered',
      (view) => step(view, 'mob').waitingFor === 'the diagnosis of c',
    );
    expect(before).toMatchObject({ pausedForSwarm: { step: 'mob' } });
    await worker.kill();

    scratch.write('mended', '');
    const watching = scratch.follow('watch', run);
    expect(await watching.finished).toMatchObject({ code: 0 });
    const view = await untilStatus(scratch, run, 'it ended', ({ state }) => state === 'completed');
    expect(step(view, 'mob').swarm).toMatchObject({ outcome: 'solved', fixer: 'b' });
    expect(step(view, 'build')).toMatchObject({ state: 'done', round: 2 });
    expect(timesRequested(scratch, run)).toEqual({
      ...{ 'mob[1]/mob_a#1~1/1': 1, 'mob[1]/mob_b#1~1/1': 1, 'mob[1]/mob_c#1~1/1': 2, 'mob[2]/mob_fix_b#1~1/1': 1 },
    });
    const journal = await scratch.ask('journal', run, '--type', 'swarm_diagnosis', '--json');
    expect(JSON.parse(journal.out)).toMatchObject({ entries: { length: 3 } });
  });
});
