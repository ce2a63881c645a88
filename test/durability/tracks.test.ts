import { inSweep } from '../support/sweep';
import { keptLiveScratch, leaveOneSilent } from './agents/service';
import { runOf, step, timesRequested, untilStatus } from './support/runs';

/** kill -9 of the process that works on two tracks: in the phase of one while the other waits for it, and in a check. */
inSweep.describe('two tracks whose worker is killed', () => {
  const live = keptLiveScratch();

  const PIPELINE = `name: dual
owner: lead
steps:
  - id: both
    type: tracks
    a: {agent: a, phases: [{id: api, prompt: Design it.}, {id: detail, prompt: Describe it.}]}
    b: {agent: b, phases: [{id: scaffold, prompt: Set it up.}, {id: core, prompt: Build it.}]}
    sync: [{id: contract, after: [api, scaffold]}]
    integration: printf tested
output: both
`;
  const REPLIES = `replies:
  both_api: [{text: api}]
  both_detail: [{text: detail}]
  both_scaffold: [{text: scaffold}]
  both_core: [{text: core}]
  both_contract: [{json: {status: ALIGNED}}]
`;

  it.each(['both_scaffold', 'both_contract', 'both_core'])(
    'CP-9 · worker killed · goes on from what each track has delivered, and nothing is paid for twice: in %s',
    async (part) => {
      const { scratch } = live();
      for (const name of ['a', 'b', 'lead']) scratch.write(`pipelines/agents/${name}.yaml`, 'role: Works.\n');
      scratch.write('pipelines/dual.yaml', PIPELINE);
      scratch.write('pipelines/scripts/dual.yaml', REPLIES);
      const isAwaited = leaveOneSilent(live(), { pipeline: 'pipelines/dual.yaml', script: 'dual', at: part });
      const worker = scratch.thermidor('run', 'dual', '--live');
      const run = await runOf(worker);
      await worker.until('it is asked', isAwaited);
      if (part === 'both_scaffold')
        await untilStatus(scratch, run, 'the other has arrived', (view) => step(view, 'both').tracks?.sync[0]?.arrived.length === 1);
      await worker.kill();

      const watching = scratch.follow('watch', run);
      expect(await watching.finished).toMatchObject({ code: 0 });
      const view = await untilStatus(scratch, run, 'it ended', ({ state }) => state === 'completed');
      expect(step(view, 'both').tracks).toMatchObject({ sync: [{ state: 'aligned', attempts: 1 }] });
      const asked = timesRequested(scratch, run);
      expect(
        Object.entries(asked)
          .filter(([, times]) => times > 1)
          .map(([address]) => address),
      ).toEqual([`both[1]/${part}#1~1/1`]);
      expect(Object.keys(asked)).toHaveLength(5);
    },
  );
});
