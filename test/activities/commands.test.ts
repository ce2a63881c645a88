import { LocalSecrets } from '../../activities/adapters/secrets';
import { command } from '../../activities/commands/command';
import { commands } from '../../activities/commands/commands';
import type { Expr } from '../../plan/expressions/expression';
import { chain, marking, ran, shop, step, texts } from './command-chain';
import { KEY, outputTemplate } from './workshop';

describe('a chain of commands', () => {
  test('runs them one after the other, and gives each one’s result with its times', async () => {
    const at = shop();
    await at.open([marking(at, 'a', { readsStdout: true }), marking(at, 'b'), step('c', { shell: ['true'] })]);
    const result = await chain(at, ['a', 'b', 'c']);
    expect(await texts(at, result)).toEqual(['out-a\n', 'out-b\n', '']);
    expect(result.done[0]?.output).toMatchObject({ values: { $stdout: 'out-a\n' }, artifact: { name: 'a.txt' } });
    expect(result.done.every(({ startedAtMs, endedAtMs }) => startedAtMs <= endedAtMs)).toBe(true);
    expect(result.failure).toBeUndefined();
  });

  test('stops at the first that fails, and says how as data', async () => {
    const at = shop();
    await at.open([marking(at, 'a'), step('b', { shell: ['echo why >&2; exit 3'] }), marking(at, 'c')]);
    const { done, failure } = await chain(at, ['a', 'b', 'c']);
    expect(done).toHaveLength(1);
    expect(failure).toMatchObject({ code: 'command.failed', details: { exitCode: 3, stderr: 'why\n' } });
    expect(ran(at)).toEqual(['a']);
  });

  test('hands on the outputs of earlier ones: as output, as text, and in an argv', async () => {
    const at = shop();
    const stdout: Expr = { kind: 'record', step: 'b', field: 'stdout', path: [] };
    await at.open([
      step('a', { shell: [`echo '{"n": "it'"'"'s $(x)"}'`] }),
      step('b', { shell: ['printf %s ', ...outputTemplate('a', 'n')] }, { inputs: ['a'], chained: true }),
      step('c', { argv: [['printf'], ['%s|'], [stdout]] }, { records: [{ step: 'b', field: 'stdout' }], chained: true }),
      step('d', { shell: ['cat'] }, { stdin: outputTemplate('c'), inputs: ['c'] }),
    ]);
    const result = await chain(at, ['a', 'b', 'c', 'd'], { records: { b: { stdout: null } } });
    expect((await texts(at, result)).slice(1)).toEqual(["it's $(x)", "it's $(x)|", "it's $(x)|"]);
  });

  test('of an iteration knows the loop’s variables', async () => {
    const at = shop();
    const list = await at.artifacts.put('["x", "y"]', { mediaType: 'application/json' });
    const item: Expr = { kind: 'variable', name: 'item', path: [] };
    const body = [
      step('a', { shell: ['printf %s ', item] }),
      step('b', { shell: ['printf %s ', ...outputTemplate('a')] }, { inputs: ['a'] }),
    ];
    await at.open([{ id: 'loop', kind: 'for_each', items: { kind: 'literal', value: [] }, block: { order: 'sequence', steps: body } }]);
    const input = { run: KEY.run, loops: [{ list, index: 1, itemVar: 'item', indexVar: 'index' }] };
    const steps = ['a', 'b'].map((id) => ({ address: `loop[1]/${id}#1~1`, input }));
    const result = await commands(at.toolbox, at.call('loop[1]/a#1~1/chain'), { run: KEY.run, steps });
    expect(await texts(at, result)).toEqual(['y', 'y']);
    const plain = await command(at.toolbox, at.call('loop[1]/b#1~1'), input);
    expect(plain).toEqual(result.done[1]?.output);
  });

  test('names no secret in what it reports, nor in the ledger', async () => {
    const at = shop({ secrets: new LocalSecrets({ KEY: 'hush-hush' }) });
    const key: Expr = { kind: 'arg', name: 'key', path: [] };
    const steps = [
      step('a', { shell: ['test ', key, ' = hush-hush && echo ', key] }, { readsStdout: true }),
      step('b', { shell: ['echo leaked ', key, ' >&2; exit 1'] }),
    ];
    await at.open(steps, { args: { key: { secret: true } } }, undefined, { key: 'secret://env/KEY' });
    const result = await chain(at, ['a', 'b']);
    expect(result.done[0]?.output.values).toEqual({ $stdout: '***\n' });
    expect(result.failure).toMatchObject({ code: 'command.failed', details: { stderr: 'leaked ***\n' } });
    expect(JSON.stringify(result)).not.toContain('hush-hush');
    expect(JSON.stringify(await at.ledger.lines(KEY, 'commands'))).not.toContain('hush-hush');
  });
});
