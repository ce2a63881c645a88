import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GroupProcessRunner } from '../../activities/adapters/processes/process-runner';
import { command } from '../../activities/commands/command';
import type { CommandStep } from '../../plan/steps/step';
import type { StepInput } from '../../plan/steps/step-activity';
import { jsonText } from '../../plan/text/json-text';
import { codeOf, failureOf, KEY, outputTemplate, type Workshop, workshop } from './workshop';

const ADDRESS = 'build#1~1';

function shop(): Workshop {
  return workshop({ processes: new GroupProcessRunner() });
}

function step(shell: CommandStep['command'], more: Partial<CommandStep> = {}): CommandStep {
  return { id: 'build', kind: 'command', command: shell, ...more };
}

async function run(at: Workshop, what: CommandStep, input: Partial<StepInput> = {}) {
  await at.open([what]);
  return await command(at.toolbox, at.call(ADDRESS), { run: KEY.run, ...input });
}

describe('a command step', () => {
  test('stores its stdout as it came', async () => {
    const at = shop();
    const output = await run(at, step({ shell: ["printf 'a\\nb\\n'"] }));
    expect(output.artifact).toMatchObject({ name: 'build.txt', mediaType: 'text/plain' });
    expect((await at.artifacts.get(output.artifact!)).toString()).toBe('a\nb\n');
  });

  test('gives the fields that are read if its stdout is JSON, and its text if that is read', async () => {
    const output = await run(shop(), step({ shell: [`echo '{"n": {"m": 3}}'`] }, { reads: [['n', 'm']], readsStdout: true }));
    expect(output.values).toEqual({ 'n.m': 3, $stdout: '{"n": {"m": 3}}\n' });
    expect(output.artifact?.mediaType).toBe('application/json');
  });

  test('gives a number as it was written, even if its stdout is one number alone', async () => {
    const { values } = await run(shop(), step({ shell: ['echo 1.10'] }, { reads: [[]] }));
    expect(jsonText(values)).toBe('{"$":1.10}');
  });

  test('runs once, whatever happens to its completion', async () => {
    const at = shop();
    const once = step({ shell: [`echo x >> ${at.root}/runs.txt; cat ${at.root}/runs.txt`] });
    const first = await run(at, once);
    expect(await command(at.toolbox, at.call(ADDRESS, { attempt: 2 }), { run: KEY.run })).toEqual(first);
    expect((await at.artifacts.get(first.artifact!)).toString()).toBe('x\n');
  });

  test('gets outputs of other steps as words, variables and input', async () => {
    const at = shop();
    const plan = await at.artifacts.put(`{"title": "it's $(x)"}`, { mediaType: 'application/json' });
    const title = outputTemplate('plan', 'title');
    const output = await run(at, step({ shell: ['printf "%s|%s|" ', ...title, ' "$T"; cat'] }, { env: { T: title }, stdin: title }), {
      inputs: { plan },
    });
    expect((await at.artifacts.get(output.artifact!)).toString()).toBe("it's $(x)|it's $(x)|it's $(x)");
  });

  test('gets an operator’s replacement for an output', async () => {
    const at = shop();
    const output = await run(at, step({ argv: [['printf'], ['%s'], outputTemplate('plan', 'title')] }), {
      with: { plan: { title: 'mine' } },
    });
    expect((await at.artifacts.get(output.artifact!)).toString()).toBe('mine');
  });

  test.each([
    ['not JSON', 'echo no'],
    ['missing a field', `echo '{"a": 1}'`],
  ])('fails where its stdout is %s but a schema was promised', async (_, shell) => {
    const at = shop();
    const schema = await at.blob({ type: 'object', required: ['b'] });
    expect(await codeOf(run(at, step({ shell: [shell] }, { output: { name: 'B.json', schema } })))).toBe('command.failed');
  });

  test('fails with the exit code', async () => {
    const failure = await failureOf(run(shop(), step({ shell: ['exit 9'] })));
    expect(failure).toMatchObject({ code: 'command.failed', details: { exitCode: 9 } });
  });

  test('fails when its time is up', async () => {
    expect(await codeOf(run(shop(), step({ shell: ['sleep 300'] }, { timeoutMs: 50 })))).toBe('command.timeout');
  });
});

describe('a command with tests', () => {
  const tests = (shell: string, source: NonNullable<CommandStep['tests']>, more: Partial<CommandStep> = {}) =>
    step({ shell: [shell] }, { tests: source, ...more });
  const reportOf = async (at: Workshop, what: CommandStep): Promise<unknown> => {
    const { artifact } = await run(at, what);
    return JSON.parse((await at.artifacts.get(artifact!)).toString());
  };

  test('that fail is done, and its output says so', async () => {
    const at = shop();
    const red = tests(
      "printf 'not ok 1 - adds\\nok 2\\n1..2\\n'; exit 1",
      { format: 'tap' },
      { reads: [['pass_rate']], readsStdout: true },
    );
    const { artifact, values } = await run(at, red);
    expect(values).toEqual({ pass_rate: 0.5, $stdout: 'not ok 1 - adds\nok 2\n1..2\n' });
    expect(artifact).toMatchObject({ name: 'build.json', mediaType: 'application/json' });
    expect(JSON.parse((await at.artifacts.get(artifact!)).toString())).toMatchObject({
      passed: 1,
      failed: 1,
      failures: [{ name: 'adds' }],
    });
    expect((await at.artifacts.get({ sha256: artifact!.stdout! })).toString()).toContain('not ok 1');
  });

  test.each([
    ['no test failed and the exit code says that something did', "printf 'ok 1\\n1..1\\n'; exit 1", 'command.failed'],
    ['it crashed before it had results', 'exit 3', 'command.failed'],
    ['it was killed', "printf 'not ok 1\\n1..1\\n'; kill -9 $$", 'command.failed'],
    ['it succeeds without results', 'echo done', 'tests.unreadable'],
  ])('fails where %s', async (_, shell, code) => {
    expect(await codeOf(run(shop(), tests(shell, { format: 'tap' })))).toBe(code);
  });

  test('that breaks off among red tests has one more that failed', async () => {
    expect(await reportOf(shop(), tests("printf 'not ok 1\\nok 2\\n'; exit 1", { format: 'tap' }))).toMatchObject({ passed: 1, failed: 2 });
  });

  test('has them from a file in its folder', async () => {
    const at = shop();
    const write = `echo noise; echo '{"passed": 3, "failed": 1}' > results.json; exit 1`;
    const source = { format: 'json', file: 'results.json' } as const;
    expect(await reportOf(at, tests(write, source, { cwd: [at.root] }))).toMatchObject({ passed: 3, failed: 1, pass_rate: 0.75 });
  });

  test('reads no file that an earlier command has left', async () => {
    const at = shop();
    writeFileSync(join(at.root, 'results.json'), '{"passed": 3, "failed": 0}');
    const source = { format: 'json', file: 'results.json' } as const;
    expect(await codeOf(run(at, tests('true', source, { cwd: [at.root] })))).toBe('tests.unreadable');
  });

  test.each([
    ['a file that is too large', 'truncate -s 70M results.json', 'output.too-large'],
    ['what is no file', 'rm -f results.json; mkfifo results.json', 'command.failed'],
  ])('fails at %s', async (_, shell, code) => {
    const at = shop();
    expect(await codeOf(run(at, tests(shell, { format: 'json', file: 'results.json' }, { cwd: [at.root] })))).toBe(code);
  });
});
