import { inSweep } from '../support/sweep';
import { keptLiveScratch, leaveOneSilent } from './agents/service';
import { runOf, step, timesRequested, untilStatus } from './support/runs';

/** kill -9 of the process that works on an issue. That a lost worker's request alone is made again, `kill-worker.test.ts` shows. */
inSweep.describe('an escalation whose worker is killed', () => {
  const live = keptLiveScratch();

  it('CP-5 · worker killed · goes on with what the levels before have said, asks the one that was lost once more, and takes a person’s answer', async () => {
    const { scratch } = live();
    for (const name of ['a', 'b']) scratch.write(`pipelines/agents/${name}.yaml`, 'role: Solves.\n');
    scratch.write(
      'pipelines/mend.yaml',
      `name: mend
owner: a
steps:
  - {id: build, run: test -e mended, on_error: escalate(rescue)}
  - {id: rescue, type: escalate, levels: [{agent: a, attempts: 1}, b, human]}
output: rescue
`,
    );
    const up = '{solved: false, diagnosis: unknown}';
    const replies = `replies:\n  rescue_a: [{json: ${up}}]\n  rescue_b: [{json: ${up}}]\n  rescue_apply: [{json: {solved: true, diagnosis: done}}]\n`;
    scratch.write('pipelines/scripts/mending.yaml', replies);
    const isAwaited = leaveOneSilent(live(), { pipeline: 'pipelines/mend.yaml', script: 'mending', at: 'rescue_b' });
    const worker = scratch.thermidor('run', 'mend', '--live');
    const run = await runOf(worker);
    await worker.until('the second level is asked', isAwaited);
    await worker.kill();

    const watching = scratch.follow('watch', run);
    const waiting = await untilStatus(scratch, run, 'the person is asked', ({ gates }) => gates.length === 1);
    expect(step(waiting, 'rescue').escalation).toMatchObject({ level: 2, doing: 'ask' });
    expect(step(waiting, 'build').waitingFor).toBe('the step rescue, which it has called');
    scratch.write('mended', '');
    const told = await scratch.ask(
      'respond',
      run,
      'rescue[3]/rescue_person',
      '--by',
      'cfo',
      '--response',
      'solution',
      '--comment',
      'make the file',
    );
    expect(told).toMatchObject({ code: 0 });
    expect(await watching.finished).toMatchObject({ code: 0 });
    const view = await untilStatus(scratch, run, 'it ended', ({ state }) => state === 'completed');
    expect(step(view, 'rescue').escalation).toMatchObject({ outcome: 'solved', level: 2, by: 'cfo' });
    expect(timesRequested(scratch, run)).toEqual({
      ...{ 'rescue[1]/rescue_a#1~1/1': 1, 'rescue[2]/rescue_b#1~1/1': 2, 'rescue[4]/rescue_apply#1~1/1': 1 },
    });
    const journal = await scratch.ask('journal', run, '--type', 'escalate', '--json');
    expect(JSON.parse(journal.out)).toMatchObject({ entries: { length: 2 } });
  });
});
