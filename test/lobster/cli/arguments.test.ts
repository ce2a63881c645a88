import { parseLobsterArgs, readGraphArguments, readResumeArguments, readRunArguments } from '../../../cli/lobster/arguments';
import { LobsterFailure } from '../../../cli/lobster/exit';

test.each([
  [['--mode', 'tool', '--file', 'a.lobster'], { mode: 'tool', file: 'a.lobster', rest: [] }],
  [['--mode=tool', '--file=a.lobster', '--args-json={}'], { mode: 'tool', file: 'a.lobster', argsJson: '{}' }],
  [['a.lobster', '--mode', 'tool'], { mode: 'tool', rest: ['a.lobster'] }],
  [['--mode', 'loud', 'json'], { mode: 'human', rest: ['json'] }],
  [['--dry-run', 'a.lobster'], { dryRun: true, rest: ['a.lobster'] }],
  [['exec', 'rsync', '--dry-run'], { dryRun: false, rest: ['exec', 'rsync', '--dry-run'] }],
  [['--file'], { rest: [] }],
])('run %j', (argv, expected) => {
  expect(readRunArguments(argv)).toMatchObject(expected);
});

test('a flag of run that is last has no value', () => {
  expect(readRunArguments(['--file']).file).toBeUndefined();
});

test.each([
  [['--token', 't', '--approve', 'yes'], { token: 't', answer: { kind: 'approve' } }],
  [['--token=t', '--approve=N'], { answer: { kind: 'reject' } }],
  [['--id', 'ab', '--decision', 'no'], { approvalId: 'ab', answer: { kind: 'reject' } }],
  [['--token', 't', '--response-json', '{"n":1}'], { answer: { kind: 'respond', response: { n: 1 } } }],
  [['--token', 't', '--response-json', '"--cancel"'], { answer: { kind: 'respond', response: '--cancel' } }],
  [['--token', 't', '--cancel'], { answer: { kind: 'cancel' } }],
  [['--token', 't', '--cancel', 'yes'], { answer: { kind: 'cancel' } }],
  [['--cancel=false', '--token', 't', '--approve', 'y'], { answer: { kind: 'approve' } }],
])('resume %j', (argv, expected) => {
  expect(readResumeArguments(argv)).toMatchObject(expected);
});

test.each([
  [[], 'resume requires --token or --id'],
  [['--token', 't'], 'resume requires --approve yes|no, --response-json, or --cancel'],
  [['--token', 't', '--approve', 'perhaps'], 'resume --approve must be yes or no'],
  [['--token', 't', '--approve', 'yes', '--cancel'], 'resume accepts only one of --approve, --response-json, or --cancel'],
  [['--token', 't', '--response-json', '{'], 'resume --response-json must be valid JSON'],
  [['--token', 't', '--cancel', 'perhaps'], 'resume --cancel must be true or false'],
])('resume %j is a parse error', (argv, message) => {
  const read = (): unknown => readResumeArguments(argv);
  expect(read).toThrow(LobsterFailure);
  expect(read).toThrow(expect.objectContaining({ type: 'parse_error', message, exit: 2 }));
});

test.each([
  [['--file', 'a.yaml', '--format', 'dot'], { file: 'a.yaml', format: 'dot', help: false }],
  [['a.yaml'], { file: 'a.yaml', format: 'mermaid' }],
  [['--format=', 'a.yaml'], { format: 'mermaid' }],
  [['-h', 'a.yaml'], { help: true }],
])('graph %j', (argv, expected) => {
  expect(readGraphArguments(argv)).toMatchObject(expected);
});

test('args are the entries of whatever JSON was given', () => {
  expect(parseLobsterArgs({ a: 1 })).toEqual({ a: 1 });
  expect(parseLobsterArgs(['x'])).toEqual({ 0: 'x' });
  expect(parseLobsterArgs(null)).toEqual({});
});
