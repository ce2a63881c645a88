import { runLobster } from '../../../cli/lobster/lobster';
import { lobsterCall } from '../../../cli/lobster/lobster-call';
import { STAGES } from '../../../plan/stages/stage';
import { fakeTerminal } from '../../cli/fake-terminal';

/** Calls that are answered without a server. */
const call = async (...argv: string[]) => {
  const terminal = fakeTerminal();
  return { exit: await runLobster(argv, terminal, '1.2.3'), ...terminal.written };
};
const error = (type: string, message: unknown) => ({ protocolVersion: 1, ok: false, error: { type, message } });

test.each([
  [['lobster', 'run', 'x'], '/bin/thermidor', ['run', 'x']],
  [['run', 'x'], '/usr/local/bin/lobster', ['run', 'x']],
  [['run', 'x'], 'C:/tools/lobster.cmd', ['run', 'x']],
  [['run', 'x'], '/x/dist/cli/main.js', undefined],
  [[], undefined, undefined],
])('%j by %s', (argv, script, words) => {
  expect(lobsterCall(argv, script)).toEqual(words);
});

test.each([[[]], [['help']], [['--help']], [['run', '-h']]])('help: %j', async (argv) => {
  expect(await call(...argv)).toMatchObject({ exit: 0, out: expect.stringContaining('Usage:'), err: '' });
});

test('help of the graph names its formats', async () => {
  expect((await call('graph', '--help')).out).toMatch(/--format\s+Output format: mermaid \(default\), dot, ascii/);
});

test.each(STAGES)('help of the stage %s', async (stage) => {
  expect(await call('help', stage)).toMatchObject({ exit: 0, out: expect.stringContaining(stage), err: '' });
});

test('help of what is not a stage is exit 2', async () => {
  expect(await call('help', 'nosuch')).toEqual({ exit: 2, out: '', err: 'Unknown command: nosuch\n' });
});

test.each(['version', '--version', '-v'])('%s', async (word) => {
  expect(await call(word)).toEqual({ exit: 0, out: '1.2.3\n', err: '' });
});

test.each([
  [['run', '--mode', 'tool', "exec 'abc"], 2, 'parse_error', 'Unclosed quote'],
  [['run', '--mode', 'tool', ''], 2, 'parse_error', 'Empty pipeline'],
  [['run', '--mode', 'tool', 'nope x'], 1, 'runtime_error', 'Unknown command: nope'],
  [['run', '--mode', 'tool', '--file', '/none.lobster'], 2, 'parse_error', expect.stringMatching(/^ENOENT/)],
  [['run', '--mode', 'tool', '--file', '/'], 2, 'parse_error', 'Workflow path is not a file'],
  [['run', '--mode', 'tool', '--file', __filename], 2, 'parse_error', 'Workflow file must end in .lobster, .yaml, .yml, or .json'],
  [['resume', '--token', 'abc', '--approve', 'yes'], 2, 'parse_error', 'Invalid token'],
] as const)('tool mode answers a mistake with one envelope: %j', async (argv, exit, type, message) => {
  const ended = await call(...argv);
  expect(ended.exit).toBe(exit);
  expect(JSON.parse(ended.out)).toEqual(error(type, message));
});

test.each([
  [['frob'], 1, /^Error: Unknown command: frob\n/],
  [['run', "exec 'abc"], 2, /^Parse error: Unclosed quote\n$/],
  [['run', '--file', '/none.json'], 2, /^Parse error: ENOENT.*\n$/],
  [['graph'], 2, /^graph requires a workflow file path/],
  [['graph', '--file', 'x', '--format', 'svg'], 2, /^graph --format must be one of: mermaid, dot, ascii\n$/],
  [['graph', '--file', '/none.lobster'], 1, /^Error: ENOENT/],
] as const)('human mode says it on stderr: %j', async (argv, exit, message) => {
  const ended = await call(...argv);
  expect(ended).toMatchObject({ exit, out: '' });
  expect(ended.err).toMatch(message);
});

test('a dry run of a program lists its stages on stderr and starts nothing', async () => {
  const ended = await call('run', '--mode', 'tool', '--dry-run', "exec --json --shell 'echo [1]' | head --n 1 | json");
  expect(ended.err.split('\n')).toEqual([
    '[DRY RUN] Pipeline (3 stages):',
    '  1. exec  args: json=true, shell=echo [1]',
    '  2. head  args: n=1',
    '  3. json',
    '',
  ]);
  expect(JSON.parse(ended.out)).toMatchObject({ ok: true, status: 'ok', output: [] });
});
