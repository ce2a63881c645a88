import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GroupProcessRunner } from '../../activities/adapters/process';
import { LocalSecrets } from '../../activities/adapters/secrets';
import type { Progress } from '../../activities/call';
import { command } from '../../activities/command';
import { commands } from '../../activities/commands';
import type { CommandsOutput } from '../../plan/container-work';
import type { Expr } from '../../plan/expression';
import { ThermidorFailure } from '../../plan/failure';
import type { CommandStep } from '../../plan/step';
import type { StepInput } from '../../plan/step-work';
import { codeOf, failureOf, KEY, outputTemplate, type Workshop, workshop } from './workshop';

function shop(): Workshop {
  return workshop({ processes: new GroupProcessRunner() });
}

function step(id: string, shell: CommandStep['command'], more: Partial<CommandStep> = {}): CommandStep {
  return { id, kind: 'command', command: shell, ...more };
}

/** A command that leaves a line in a file of the shop. */
function marking(at: Workshop, id: string, more: Partial<CommandStep> = {}): CommandStep {
  return step(id, { shell: [`echo ${id} >> ${at.root}/ran; echo out-${id}`] }, more);
}

function ran(at: Workshop): string[] {
  const file = join(at.root, 'ran');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
}

function chain(at: Workshop, ids: string[], input: Partial<StepInput> = {}, toolbox = at.toolbox): Promise<CommandsOutput> {
  const steps = ids.map((id) => ({ address: `${id}#1~1`, input: { run: KEY.run, ...input } }));
  return commands(toolbox, at.call(`${ids[0]}#1~1/chain`), { run: KEY.run, steps });
}

async function texts(at: Workshop, { done }: CommandsOutput): Promise<string[]> {
  return await Promise.all(done.map(async ({ output }) => (await at.artifacts.get(output.artifact!)).toString()));
}

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

  test('runs none again that is in the ledger, whoever put it there', async () => {
    const at = shop();
    await at.open(['a', 'b', 'c', 'd'].map((id) => marking(at, id)));
    await chain(at, ['a', 'b']);
    await command(at.toolbox, at.call('c#1~1'), { run: KEY.run });
    const again = await chain(at, ['a', 'b', 'c', 'd']);
    expect(await texts(at, again)).toEqual(['out-a\n', 'out-b\n', 'out-c\n', 'out-d\n']);
    expect(ran(at)).toEqual(['a', 'b', 'c', 'd']);
  });

  test('leaves results where the plain activity finds them, also behind another head', async () => {
    const at = shop();
    await at.open(['a', 'b'].map((id) => marking(at, id)));
    const { done } = await chain(at, ['a', 'b']);
    expect(await command(at.toolbox, at.call('b#1~1'), { run: KEY.run })).toEqual(done[1]?.output);
    expect((await chain(at, ['b'])).done[0]?.output).toEqual(done[1]?.output);
    expect(ran(at)).toEqual(['a', 'b']);
  });

  test('runs another try as another command', async () => {
    const at = shop();
    await at.open([marking(at, 'a')]);
    await chain(at, ['a']);
    await command(at.toolbox, at.call('a#1~2'), { run: KEY.run });
    expect(ran(at)).toEqual(['a', 'a']);
  });

  test('hands on what earlier ones put out: output, text, and in an argv', async () => {
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

  test('says in its heartbeat which command is under way', async () => {
    const at = shop();
    await at.open([marking(at, 'a'), step('b', { shell: ['sleep 1.3'] })]);
    const beats: Progress[] = [];
    const steps = ['a', 'b'].map((id) => ({ address: `${id}#1~1`, input: { run: KEY.run } }));
    await commands(at.toolbox, at.call('a#1~1/chain', { heartbeat: (beat) => beats.push(beat) }), { run: KEY.run, steps });
    expect(beats[0]).toEqual({ turn: 0, step: 'a#1~1' });
    expect(beats.at(-1)).toEqual({ turn: 1, step: 'b#1~1' });
  });

  test('comes back at a boundary after about a second', async () => {
    const at = shop();
    await at.open([step('a', { shell: ['sleep 1.1'] }), marking(at, 'b'), marking(at, 'c')]);
    expect((await chain(at, ['a', 'b', 'c'])).done).toHaveLength(1);
    expect(ran(at)).toEqual([]);
    expect((await chain(at, ['b', 'c'])).done).toHaveLength(2);
  });

  test('comes back before its answer is too large for a payload', async () => {
    const at = shop();
    const big = (id: string) => step(id, { shell: ["head -c 60000 /dev/zero | tr '\\0' x"] }, { readsStdout: true });
    const ids = Array.from({ length: 12 }, (_, n) => `s${n}`);
    const processes = { run: async () => ({ stdout: 'x'.repeat(60_000), stderr: '' }) };
    const { toolbox } = workshop({ processes }, at.root);
    await at.open(ids.map(big));
    expect((await chain(at, ids, {}, toolbox)).done).toHaveLength(9);
  });

  test('is called off between commands, and no further one begins', async () => {
    const at = shop();
    const stop = new AbortController();
    const reason = new Error('called off');
    const processes = {
      run: async () => {
        stop.abort(reason);
        return { stdout: '', stderr: '' };
      },
    };
    const { toolbox } = workshop({ processes }, at.root);
    await at.open(['a', 'b'].map((id) => step(id, { shell: ['true'] })));
    const steps = ['a', 'b'].map((id) => ({ address: `${id}#1~1`, input: { run: KEY.run } }));
    const call = at.call('a#1~1/chain', { signal: stop.signal });
    await expect(commands(toolbox, call, { run: KEY.run, steps })).rejects.toBe(reason);
  });

  test('lets Temporal retry where the store is away, and keeps what was done', async () => {
    const at = shop();
    await at.open(['a', 'b'].map((id) => marking(at, id)));
    const { ledger, artifacts } = at;
    let left = 1;
    const away: typeof at.toolbox.ledger = {
      get: (run, name) => ledger.get(run, name),
      lines: (run, log) => ledger.lines(run, log),
      append: (run, log, line) => ledger.append(run, log, line),
      putIfAbsent: (run, name, value) => ledger.putIfAbsent(run, name, value),
      recordLog: async (run, log) => {
        const records = await ledger.recordLog(run, log);
        return {
          ...records,
          putIfAbsent: (name, value) => {
            if (left-- === 0) throw new ThermidorFailure('store.unavailable', 'full');
            return records.putIfAbsent(name, value);
          },
        };
      },
    };
    expect(await codeOf(chain(at, ['a', 'b'], {}, { ...at.toolbox, ledger: away, artifacts }))).toBe('store.unavailable');
    expect((await chain(at, ['a', 'b'])).done).toHaveLength(2);
    expect(ran(at)).toEqual(['a', 'b', 'b']);
  });

  test('mends a small output that a crash of the machine cost', async () => {
    const at = shop();
    await at.open([marking(at, 'a'), marking(at, 'b')]);
    const first = await chain(at, ['a', 'b']);
    const path = at.artifacts.locate(first.done[0]!.output.artifact!);
    rmSync(path);
    expect(await texts(at, await chain(at, ['a', 'b']))).toEqual(['out-a\n', 'out-b\n']);
    rmSync(path);
    const alone = await command(at.toolbox, at.call('a#1~1'), { run: KEY.run });
    expect((await at.artifacts.get(alone.artifact!)).toString()).toBe('out-a\n');
  });

  test('names no secret in what it reports, nor in the ledger', async () => {
    const at = workshop({ processes: new GroupProcessRunner(), secrets: new LocalSecrets({ KEY: 'hush-hush' }) });
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

describe('a record log', () => {
  test('keeps the first record of a name, whoever puts another one', async () => {
    const at = shop();
    const [one, two] = [await at.ledger.recordLog(KEY, 'commands'), await at.ledger.recordLog(KEY, 'commands')];
    expect(one.putIfAbsent('a', { n: 1 })).toEqual({ n: 1 });
    expect(two.putIfAbsent('a', { n: 2 })).toEqual({ n: 1 });
    expect(two.putIfAbsent('b', { n: 2 })).toEqual({ n: 2 });
    expect(one.putIfAbsent('b', { n: 1 })).toEqual({ n: 2 });
    await Promise.all([one.close(), two.close()]);
    const later = await at.ledger.recordLog(KEY, 'commands');
    expect([later.get('a'), later.get('b'), later.get('c')]).toEqual([{ n: 1 }, { n: 2 }, undefined]);
    await later.close();
  });

  test('never takes a torn line for a record, neither before nor after the next one', async () => {
    const at = shop();
    const first = await at.ledger.recordLog(KEY, 'commands');
    first.putIfAbsent('a', 1);
    await first.close();
    const file = join(at.root, 'ledger', 'demo-20261121-abc123', 'first-run', 'commands.jsonl');
    writeFileSync(file, `${readFileSync(file, 'utf8')}{"name":"b","val`);
    const second = await at.ledger.recordLog(KEY, 'commands');
    expect([second.get('a'), second.get('b'), second.putIfAbsent('b', 2), second.putIfAbsent('c', 3)]).toEqual([1, undefined, 2, 3]);
    await second.close();
    const third = await at.ledger.recordLog(KEY, 'commands');
    expect([third.get('a'), third.get('b'), third.get('c')]).toEqual([1, 2, 3]);
    await third.close();
  });

  test('names the path where the log cannot be written', async () => {
    const at = shop();
    writeFileSync(join(at.root, 'ledger'), 'a file stands here');
    expect((await failureOf(at.ledger.recordLog(KEY, 'commands'))).code).toBe('store.unavailable');
  });
});
