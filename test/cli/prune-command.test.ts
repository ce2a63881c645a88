import { Options } from '../../cli/command';
import { execute } from '../../cli/commands/prune';
import { renderPruned } from '../../cli/rendering/pruned';
import { NOTHING } from '../../records/old-content';
import { noAmounts } from '../../records/run-retention';
import { scratchFolder } from '../support/scratch-folder';
import { fakeTerminal } from './fake-terminal';

async function refusalOf(options: Record<string, unknown>): Promise<string> {
  const terminal = fakeTerminal({ cwd: scratchFolder() });
  const invocation = { args: [], options: new Options(options), terminal, catalogue: { commands: [], nouns: {} } };
  return await execute(invocation).then(
    () => 'done',
    (error: Error) => error.message,
  );
}

test('nothing is removed unless something says how old things get, and nothing younger than a day', async () => {
  expect(await refusalOf({})).toBe('nothing says how old things get');
  for (const olderThan of ['12h', '0d', 'soon', '-3d'])
    expect(await refusalOf({ olderThan })).toBe(`--older-than must be at least 1d, such as 30d, got "${olderThan}"`);
});

test('what was removed is shown by kinds, and which open runs did not answer', () => {
  const report = { ...noAmounts(), content: { count: 2, bytes: 1500 }, work: NOTHING, isLeft: false, silent: [] };
  const terminal = fakeTerminal();
  expect(renderPruned(report, true, terminal)).toMatch(/^WOULD REMOVE +COUNT +SIZE\noutputs, plans and the like +2 +1\.5 kB\n$/);
  const runs = ['a', 'b', 'c', 'd'].map((workflowId) => ({ workflowId, run: 'first' }));
  expect(renderPruned({ ...report, content: NOTHING, silent: runs }, false, terminal)).toBe(
    'nothing to remove\n! open, and without an answer: a, b, c and 1 more; outputs that were stored since they began stay\n',
  );
});
