import { CATALOGUE, GROUPS } from '../../cli/catalogue/index';
import { EXIT } from '../../cli/exit';
import { buildProgram, runCommandLine } from '../../cli/program';
import { fakeTerminal } from './fake-terminal';

const run = async (...argv: string[]) => {
  const terminal = fakeTerminal();
  return { exit: await runCommandLine(argv, terminal, '1.2.3'), ...terminal.written };
};

test('an unknown command is exit 2, with a suggestion', async () => {
  const { exit, err } = await run('aprove', 'x');
  expect(exit).toBe(EXIT.usage);
  expect(err).toContain('approve');
});

test.each([['run'], ['validate'], ['list', '--nope'], ['list', '--state', 'dancing'], ['schedule', 'nope'], ['approve', 'a', 'b', 'c']])(
  'a mistake in the command line is exit 2: %s %s %s',
  async (...argv) => {
    expect((await run(...argv)).exit).toBe(EXIT.usage);
  },
);

test.each(['rerun', 'budget', 'board'])('what later versions bring is not there: %s', async (name) => {
  expect((await run(name)).exit).toBe(EXIT.usage);
});

test('version and help are exit 0, on stdout', async () => {
  expect(await run('--version')).toEqual({ exit: EXIT.done, out: '1.2.3\n', err: '' });
  const help = await run('--help');
  expect(help.exit).toBe(EXIT.done);
  for (const { name } of CATALOGUE) expect(help.out).toContain(name.split(' ')[0]);
});

test('help lists commands under headings, and takes a command of two words', async () => {
  const { out } = await run('--help');
  for (const { heading } of GROUPS) expect(out).toContain(`\n${heading}:\n`);
  expect(out).not.toContain('\nCommands:\n  init');
  const { exit, out: help } = await run('help', 'schedule', 'apply');
  expect(exit).toBe(EXIT.done);
  expect(help).toContain('Usage: thermidor schedule apply');
});

test.each(CATALOGUE.map((spec) => [spec.name, spec] as const))(
  '%s has help with an example, and a module that loads',
  async (name, spec) => {
    const { exit, out } = await run(...name.split(' '), '--help');
    expect(exit).toBe(EXIT.done);
    expect(out).toContain(`thermidor ${spec.examples[0]}`);
    expect(typeof spec.load().execute).toBe('function');
  },
);

test('every example can be parsed, and reaches its own command', async () => {
  const reached: string[] = [];
  for (const spec of CATALOGUE) {
    for (const example of spec.examples) {
      const words = example.replace(/ > .*/, '').match(/"[^"]*"|\S+/g) ?? [];
      const program = buildProgram(fakeTerminal(), '0', async (found) => void reached.push(found.name));
      await program.parseAsync(
        words.map((word) => word.replaceAll('"', '')),
        { from: 'user' },
      );
      expect(reached.at(-1)).toBe(spec.name);
    }
  }
});

test('arguments and options arrive as they were given', async () => {
  let seen: unknown;
  const program = buildProgram(fakeTerminal(), '0', async (_spec, args, options) => {
    seen = { args, options };
  });
  await program.parseAsync(['run', 'x.yaml', '--arg', 'a=1', '--arg', 'b=2', '--args-json', '{}', '--json'], { from: 'user' });
  expect(seen).toEqual({ args: ['x.yaml'], options: { arg: ['a=1', 'b=2'], argsJson: '{}', json: true } });
});
