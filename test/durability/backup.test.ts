import { rmSync } from 'node:fs';
import { blockOf } from '../docs/block';
import { inSweep } from '../support/sweep';
import { startDetached, untilStatus } from './support/runs';
import { Scratch, SET_UP_MS } from './support/scratch';

/** The commands that docs/operations.md prints for a folder with its embedded server, word for word. */
const PAGE = 'docs/operations.md';
const ASKS = `name: asks
steps:
  - {id: before, run: 'echo before >> "$HOME/done"; echo made'}
  - {id: ask, type: approval, approvers: [anyone]}
  - {id: after, run: 'echo after >> "$HOME/done"'}
output: $before.stdout
`;

inSweep.describe('a back-up of a folder', () => {
  let scratch: Scratch;
  beforeAll(async () => {
    scratch = await Scratch.make();
    scratch.write('thermidor.yaml', '');
    scratch.write('pipelines/asks.yaml', ASKS);
  }, SET_UP_MS);
  afterAll(() => scratch.close());

  const typed = async (text: string): Promise<void> => {
    for (const line of text
      .trim()
      .split('\n')
      .filter((one) => !one.startsWith('thermidor '))) {
      expect(await scratch.start('bash', ['-c', line]).finished).toMatchObject({ code: 0 });
    }
  };

  test(
    'a run that waited at a gate goes on after the restore, and one that ended since waits again',
    async () => {
      const up = async () => {
        const program = scratch.thermidor('up', '--no-callbacks');
        await program.untilLine(/server/);
        return program;
      };
      const first = await up();
      const [kept, ended] = [await startDetached(scratch, 'asks'), await startDetached(scratch, 'asks')];
      for (const run of [kept, ended]) await untilStatus(scratch, run, 'it asks', ({ gates }) => gates.length === 1);
      first.signal('SIGINT');
      await first.finished;
      await typed(blockOf(PAGE, 'tar -czf').text);

      const second = await up();
      await scratch.ask('approve', ended, '--by', 'ann', '--detach');
      await untilStatus(scratch, ended, 'it ended', ({ state }) => state === 'completed');
      second.signal('SIGINT');
      await second.finished;
      for (const lost of ['.thermidor', 'pipelines', 'thermidor.yaml']) rmSync(scratch.path(lost), { recursive: true });

      const restore = blockOf(PAGE, 'tar -xzf').text;
      expect(restore).toContain('\nthermidor up\n');
      await typed(restore);
      const third = await up();
      for (const run of [kept, ended]) {
        await untilStatus(scratch, run, 'it asks again', ({ gates }) => gates.length === 1);
        expect(await scratch.ask('approve', run, '--by', 'ann', '--detach')).toMatchObject({ code: 0 });
        await untilStatus(scratch, run, 'it ended', ({ state }) => state === 'completed');
      }
      expect(await scratch.json('status', kept)).toMatchObject({ output: expect.stringContaining('made') });
      // What ran before the back-up is not repeated; what ran after it is.
      expect(scratch.lines('home/done').sort()).toEqual(['after', 'after', 'after', 'before', 'before']);
      third.signal('SIGINT');
      await third.finished;
    },
    SET_UP_MS,
  );
});
