import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runLobster } from '../../../cli/lobster/lobster';
import { fakeTerminal } from '../../cli/fake-terminal';
import { scratchFolder } from '../../support/scratch-folder';

/** Tests `graph` and dry runs of a file, which start nothing. */
let folder: string;
beforeEach(() => {
  folder = scratchFolder();
});

const call = async (...argv: string[]) => {
  const terminal = fakeTerminal();
  return { exit: await runLobster(argv, terminal, '1.2.3'), ...terminal.written };
};
const write = (text: string): string => {
  const file = join(folder, 'flow.lobster');
  writeFileSync(file, text);
  return file;
};
const graph = (text: string) => call('graph', '--format', 'ascii', '--file', write(text));
const dryRun = async (text: string, ...more: string[]) => {
  const { exit, out, err } = await call('run', '--mode', 'tool', '--dry-run', '--file', write(text), ...more);
  const { error } = JSON.parse(out) as { error?: { message: string } };
  return { exit, err, message: error?.message };
};

describe('the graph', () => {
  test.each([
    ['a command that there is not', 'pipeline: nosuch', 'lobster.unknown-stage'],
    ['a pipe that does not read', "pipeline: exec 'echo", 'lobster.pipe-syntax'],
    ['a child that is not there', 'workflow: gone.lobster', 'pipeline.missing-file'],
    ['a circle', 'workflow: flow.lobster', 'pipeline.cycle'],
    ['a child that is known later', `workflow: \${path}`, 'lobster.dynamic-child'],
    ['a condition that does not read', 'run: x\n    when: a =', 'lobster.bad-condition'],
  ])('is drawn of a file with %s, and the mistake is reported beside it', async (_what, step, code) => {
    const { exit, out, err } = await graph(`steps:\n  - id: a\n    ${step}\n`);
    expect(exit).toBe(0);
    expect(out).toMatch(/^- a \[/m);
    expect(err).toContain(code);
  });

  test.each([
    ['steps: []', 'Workflow file requires a non-empty steps array'],
    ['steps: [{id: a}]', 'Workflow step a requires run, command, pipeline, workflow, parallel, for_each, approval, or input'],
    ['steps: [{id: a, pipeline: nosuch}, {id: a, run: x}]', 'Duplicate workflow step id: a'],
  ])('is not drawn of a file that Lobster refuses, and that is the reason: %s', async (text, reason) => {
    const { exit, out, err } = await graph(text);
    expect([exit, out]).toEqual([1, '']);
    expect(err.split('\n')[0]).toBe(`Error: ${reason}`);
  });

  test('shows texts that look like dates as they are written', async () => {
    expect((await graph('steps: [{id: "a", run: x}, {id: 2020-01-01, run: y}]')).out).toContain('- 2020-01-01 [run] (run: y)');
  });
});

describe('a dry run', () => {
  const go = (pipeline: string) => `steps: [{id: which, run: x}, {id: go, pipeline: '${pipeline}'}]`;

  test.each([
    [go('exec x | nosuch --n 1'), 'Workflow step go pipeline references unknown command: nosuch'],
    [
      'steps: [{id: p, parallel: {branches: [{id: b, pipeline: nosuch}]}}]',
      'Parallel branch b pipeline references unknown command: nosuch',
    ],
    [
      'steps: [{id: l, run: x}, {id: e, for_each: $l.json, steps: [{id: s, pipeline: nosuch}]}]',
      'Workflow step e for_each sub-step s pipeline: unknown command: nosuch',
    ],
    [go('exec x | | json'), 'Empty command stage'],
    [`args: {s: {default: nosuch}}\n${go(`exec x | \${s}`)}`, 'Workflow step go pipeline references unknown command: nosuch'],
  ])('refuses a command that there is not in Lobster’s words: %s', async (text, message) => {
    expect(await dryRun(text)).toMatchObject({ exit: 1, message });
  });

  test('leaves a command that a step names for later, and says so', async () => {
    const { exit, err } = await dryRun(go('exec x | $which.stdout'));
    expect([exit, err.split('\n').slice(4)]).toEqual([
      0,
      [
        '  2. go  [pipeline]',
        '     pipeline: exec x | $which.stdout  [contains step output refs — unknown at plan time]',
        '     [command validation deferred — stage name depends on step output]',
        '',
      ],
    ]);
  });

  test('knows a command that an arg names', async () => {
    const text = `args: {s: {default: nosuch}}\n${go(`exec x | \${s}`)}`;
    const { exit, err } = await dryRun(text, '--args-json', '{"s": "json"}');
    expect([exit, err.split('\n')[5]]).toEqual([0, '     pipeline: exec x | json']);
  });

  test('decides conditions by the ids of the file, even if the plan has others', async () => {
    const { err } = await dryRun(
      'steps: [{id: a b, run: x, when: false}, {id: l, run: x}, {id: k, for_each: $l.json, steps: [{id: s, run: y}]}, ' +
        '{id: m, for_each: $l.json, steps: [{id: s, run: z, when: false}, {id: t, run: u, when: $s.skipped}]}]',
    );
    expect(err).toContain('1. a b  [skipped — condition: false]');
    expect(err.match(/1\. s {2}.*/g)).toEqual(['1. s  [shell] run: y', '1. s  [skipped — condition: false]']);
    expect(err).toContain('2. t  [shell] run: u');
  });
});
