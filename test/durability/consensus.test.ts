import { inSweep } from '../support/sweep';
import { keptLiveScratch, leaveOneSilent } from './agents/service';
import { runOf, step, timesRequested, untilStatus } from './support/runs';

/** kill -9 of the process that works on a vote. That a lost worker's request alone is made again, `kill-worker.test.ts` shows. */
inSweep.describe('a vote whose worker is killed', () => {
  const live = keptLiveScratch();

  const vote = (word: string): string => `{proposalId: decide-1, vote: ${word}, rationale: because}`;

  it('CP-4 · worker killed · goes on with the votes that are there, asks for the others once more, and takes a person’s', async () => {
    const { scratch } = live();
    for (const name of ['a', 'b', 'c']) scratch.write(`pipelines/agents/${name}.yaml`, 'role: Votes.\n');
    scratch.write(
      'pipelines/pick.yaml',
      'name: pick\nowner: a\nsteps:\n  - {id: decide, type: consensus, proposal: Shall we?, voters: [a, b, c, person("cfo")], timeout: 30m}\noutput: decide\n',
    );
    const replies = `replies:\n  decide_a: [{json: ${vote('APPROVE')}}]\n  decide_b: [{json: ${vote('APPROVE')}}]\n  decide_c: [{json: ${vote('REJECT')}}]\n`;
    scratch.write('pipelines/scripts/votes.yaml', replies);
    const isAwaited = leaveOneSilent(live(), { pipeline: 'pipelines/pick.yaml', script: 'votes', at: 'decide_b' });
    const worker = scratch.thermidor('run', 'pick', '--live');
    const run = await runOf(worker);
    await untilStatus(scratch, run, 'two have voted', ({ steps }) => steps[0]?.vote?.voters.filter((voter) => voter.vote).length === 2);
    await worker.until('the third is asked', isAwaited);
    await worker.kill();

    const watching = scratch.follow('watch', run);
    await untilStatus(scratch, run, 'the person alone is waited for', (view) => step(view, 'decide').waitingFor === 'the vote of cfo');
    const voted = await scratch.ask('vote', run, 'decide', '--by', 'cfo', '--approve', '--rationale', 'cheaper');
    expect(voted).toMatchObject({ code: 0 });
    expect(await watching.finished).toMatchObject({ code: 0 });
    const view = await untilStatus(scratch, run, 'it ended', ({ state }) => state === 'completed');
    expect(step(view, 'decide').vote).toMatchObject({
      ...{ outcome: 'passed', round: 1 },
      voters: [{ vote: 'APPROVE' }, { vote: 'APPROVE' }, { vote: 'REJECT' }, { name: 'cfo', vote: 'APPROVE' }],
    });
    expect(timesRequested(scratch, run)).toEqual({
      ...{ 'decide[1]/decide_a#1~1/1': 1, 'decide[1]/decide_b#1~1/1': 2, 'decide[1]/decide_c#1~1/1': 1 },
    });
    const journal = await scratch.ask('journal', run, '--type', 'vote', '--json');
    expect(JSON.parse(journal.out)).toMatchObject({ entries: { length: 4 } });
  });
});
