import { GroupProcessRunner } from '../../activities/adapters/processes/process-runner';
import { command } from '../../activities/commands/command';
import type { CommandStep } from '../../plan/steps/step';
import type { StepInput } from '../../plan/steps/step-activity';
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

  test('gives the fields that are read where its stdout is JSON, and its text where that is read', async () => {
    const output = await run(shop(), step({ shell: [`echo '{"n": {"m": 3}}'`] }, { reads: [['n', 'm']], readsStdout: true }));
    expect(output.values).toEqual({ 'n.m': 3, $stdout: '{"n": {"m": 3}}\n' });
    expect(output.artifact?.mediaType).toBe('application/json');
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
