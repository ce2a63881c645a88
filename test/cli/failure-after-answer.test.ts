import { CommandFailure, EXIT } from '../../cli/exit';
import { runCommand } from '../../cli/run-command';
import type { Terminal } from '../../cli/terminal';
import { fakeTerminal } from './fake-terminal';

let answer: string | undefined;

jest.mock('../../cli/program', () => ({
  runCommandLine: async (_: unknown, terminal: Terminal) => {
    if (answer !== undefined) terminal.out(answer);
    throw new CommandFailure(EXIT.unreachable, 'server.failed', 'the server has gone');
  },
}));

const run = async (): Promise<{ exit: number; out: string; err: string }> => {
  const terminal = fakeTerminal();
  return { exit: await runCommand(['journal', 'r', '--json'], terminal), ...terminal.written };
};

test('with --json a failure is the document', async () => {
  answer = undefined;
  const { exit, out, err } = await run();
  expect({ exit, err, document: JSON.parse(out) }).toMatchObject({
    exit: EXIT.unreachable,
    err: '',
    document: { error: { code: 'server.failed' } },
  });
});

test('a failure after the document is no second one', async () => {
  answer = '{"run":"r"}\n';
  const { exit, out, err } = await run();
  expect({ exit, out }).toEqual({ exit: EXIT.unreachable, out: answer });
  expect(err).toContain('the server has gone');
});
