import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CATALOGUE } from '../../cli/catalogue/index';
import { EXIT, shownFailure } from '../../cli/exit';
import { runCommandLine } from '../../cli/program';
import { scratchFolder } from '../support/scratch-folder';
import { fakeTerminal } from './fake-terminal';

let cwd = '';
beforeEach(() => {
  cwd = scratchFolder();
});

const call = async (...argv: string[]) => {
  const terminal = fakeTerminal({ cwd, env: {} });
  try {
    return { exit: await runCommandLine(argv, terminal, '0'), code: undefined, ...terminal.written };
  } catch (error) {
    const failure = shownFailure(error);
    if (failure === undefined) throw error;
    return { exit: failure.exit, code: failure.code, ...terminal.written };
  }
};

/**
 * Commands that make something; and `doctor`, which tries to make the folder and leaves nothing (test/durability/first-hour).
 */
const LOBSTER = ['lobster run', 'lobster resume', 'lobster'];
const BEGIN = ['init', 'run', 'up', 'worker', 'import', 'schedule apply', 'queue submit', ...LOBSTER, 'doctor'];

const others = CATALOGUE.filter(({ name }) => !BEGIN.includes(name));

test.each(others.map((spec) => [spec.name, spec.examples] as const))('%s makes no state folder', async (_name, examples) => {
  for (const example of examples) {
    const words = example.replace(/ > .*/, '').match(/"[^"]*"|\S+/g) ?? [];
    await call(...words.map((word) => word.replaceAll('"', '')));
    expect(existsSync(join(cwd, '.thermidor'))).toBe(false);
  }
});

test.each([
  ['list', { runs: [] }],
  ['inbox', { gates: [], messages: [] }],
  ['schedule list', { schedules: [], triggers: [] }],
  ['queue', { queues: [] }],
])('%s is empty there, and says why', async (command, shown) => {
  const { exit, out, err } = await call(...command.split(' '), '--json');
  expect({ exit, shown: JSON.parse(out) }).toEqual({ exit: EXIT.done, shown });
  expect(err).toContain(`nothing has run here: there is no ${join(cwd, '.thermidor')}`);
});

test.each(['status', 'why', 'watch', 'journal', 'cancel', 'approve'])('%s of a run fails there with state.none', async (command) => {
  expect(await call(command, '7f3k2a', '--json')).toMatchObject({ exit: EXIT.failed, code: 'state.none' });
});
