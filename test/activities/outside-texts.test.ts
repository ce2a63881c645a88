import { parseOutput } from '../../activities/adapters/cli-agent/program-output';
import { checkReply } from '../../activities/agent/reply';
import { commandRequest } from '../../activities/commands/command-request';
import { shellCommand } from '../../activities/commands/shell-template';
import { NO_SECRETS } from '../../activities/run/run-secrets';
import { withoutItems } from '../../activities/streams/emit-lines';
import { readReport } from '../../activities/test-reports/read-report';
import { parseUntrustedJson } from '../../plan/text/untrusted-json';
import { NO_SCOPE } from './workshop';

/** Other programs write their texts with each of these, and mean the same. */
const ENDS = { LF: '\n', CRLF: '\r\n', CR: '\r' };
const FORMS = Object.entries(ENDS).flatMap(([end, mark]) =>
  ['', '\uFEFF'].flatMap((before) =>
    [true, false].map((final): [string, (lines: readonly string[]) => string] => [
      `${end}${before && ', a byte order mark'}${final ? '' : ', no line end at the end'}`,
      (lines) => `${before}${lines.join(mark)}${final ? mark : ''}`,
    ]),
  ),
);

describe.each(FORMS)('a text with %s', (_, text) => {
  test('is a TAP report', () => {
    const tap = [
      'TAP version 13',
      '1..4',
      'ok 1 - a\u2028b',
      'not ok 2 - c',
      '  ---',
      '  message: no',
      '  ...',
      'ok 3 # skip later',
      'Bail out! broken',
    ];
    expect(readReport('tap', text(tap))).toMatchObject({ tally: { passed: 1, failed: 3, skipped: 1 } });
  });

  test('is a JUnit report', () => {
    const junit = [
      '<?xml version="1.0"?>',
      '<testsuite>',
      '<testcase name="a"/>',
      '<testcase name="b"><failure>no</failure></testcase>',
      '</testsuite>',
    ];
    expect(readReport('junit', text(junit))).toMatchObject({ tally: { passed: 1, failed: 1 } });
  });

  test('is a JSON report, alone and after other lines', () => {
    expect(readReport('json', text(['{"passed": 3,', '"failed": 1}']))).toMatchObject({ tally: { passed: 3, failed: 1 } });
    expect(readReport('json', text(['some words', '{"passed": 3, "failed": 1}']))).toMatchObject({ tally: { passed: 3, failed: 1 } });
  });

  test('is JSON of a command, a program and a model', async () => {
    const json = text(['{', '"a": [1, 2]', '}']);
    expect(parseUntrustedJson(json)).toEqual({ a: [1, 2] });
    expect(parseOutput(json)).toEqual({ a: [1, 2] });
    await expect(checkReply({} as never, { text: json }, { json: true, verdict: false })).resolves.toMatchObject({
      kind: 'good',
      value: { a: [1, 2] },
    });
  });
});

test('an item on the first line is one after a byte order mark, too', () => {
  expect(withoutItems('\uFEFF::item:: {"a":1}\r\nrest\r\n')).toBe('rest\r\n');
});

/** The template as its author writes it. */
const BIG = '$' + '{big}';

const NO_INPUTS = { ...NO_SCOPE, inputs: new Map(), secrets: NO_SECRETS };

describe('a value that is too long for a command', () => {
  const big = 'x'.repeat(128 * 1024);
  const scope = { ...NO_INPUTS, output: () => big };
  const value = { kind: 'output' as const, step: 'big', path: [] };
  const request = (step: object) => () =>
    commandRequest({ plan: {}, record: { args: {} } } as never, { kind: 'command', id: 's', ...step } as never, scope, undefined);

  test.each<[string, () => unknown, string]>([
    ['run', () => shellCommand(['echo ', value], scope), `${BIG} in "run" has`],
    ['argv', request({ command: { argv: [['echo'], [value]] } }), `"${BIG}" in "argv" has 131072 bytes`],
    ['env', request({ command: { argv: [['echo']] }, env: { TEXT: [value] } }), `"${BIG}", the variable TEXT in "env", has 131072 bytes`],
    ['a script', () => shellCommand([big], scope), 'the script of "run" has 131072 bytes'],
  ])('%s: is named with its length, and what to do', (_, start, said) => {
    expect(start).toThrow(expect.objectContaining({ code: 'command.failed', message: expect.stringContaining(said) }));
    expect(start).toThrow('`stdin`');
  });

  test('is none as stdin, nor a byte shorter', () => {
    expect(request({ command: { argv: [['cat']] }, stdin: [value] })).not.toThrow();
    const short = { ...NO_INPUTS, output: () => big.slice(1) };
    expect(() =>
      commandRequest(
        { plan: {}, record: { args: {} } } as never,
        { kind: 'command', id: 's', command: { argv: [['echo'], [value]] } } as never,
        short,
        undefined,
      ),
    ).not.toThrow();
  });
});
