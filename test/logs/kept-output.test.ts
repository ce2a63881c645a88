import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GroupProcessRunner } from '../../activities/adapters/processes/process-runner';
import { LocalSecrets } from '../../activities/adapters/secrets';
import { command } from '../../activities/commands/command';
import { stages } from '../../activities/stages/stages-activity';
import type { Toolbox } from '../../activities/toolbox';
import type { Expr } from '../../plan/expressions/expression';
import type { Step } from '../../plan/steps/step';
import { LogFiles } from '../../records/directory/step-logs/log-files';
import { chain } from '../activities/command-chain';
import { ADDRESS, step as pipeStep, stage } from '../activities/stages/pipe-step';
import { codeOf, KEY, scratchFolder, type Workshop, workshop } from '../activities/workshop';
import { noted, printed, printedWhole } from './kept';

const key: Expr = { kind: 'arg', name: 'key', path: [] };
const SECRET = 'hush-hush and more';
const NOT_UTF8_STDOUT = 'thermidor: stdout is not UTF-8; each invalid byte is kept as U+FFFD';

async function shopWith(steps: Step[], more: Partial<Toolbox> = {}, root = scratchFolder()): Promise<Workshop> {
  const secrets = new LocalSecrets({ KEY: SECRET });
  const at = workshop({ processes: new GroupProcessRunner(), logs: new LogFiles(root), secrets, nowMs: () => 0, ...more }, root);
  await at.open(steps, { args: { key: { secret: true } } }, undefined, { key: 'secret://env/KEY' });
  return at;
}

const step = (id: string, ...shell: (string | Expr)[]): Step => ({ id, kind: 'command', command: { shell } });
const run = (at: Workshop, id: string) => command(at.toolbox, at.call(`${id}#1~1`), { run: KEY.run });

describe('what a command prints', () => {
  test('is kept line by line, of both streams, even if it fails', async () => {
    const at = await shopWith([step('a', 'echo one; echo two >&2; printf three; exit 3')]);
    await expect(codeOf(run(at, 'a'))).resolves.toBe('command.failed');
    expect((await printedWhole(at.root, 'a#1~1')).sort()).toEqual(['err two', 'out one', 'out three']);
  });

  test('is kept up to where it was cancelled, timed out or printed too much', async () => {
    const late: Step = { id: 'late', kind: 'command', command: { shell: ['echo begun; exec sleep 100'] }, timeoutMs: 300 };
    const at = await shopWith([late, step('off', 'echo begun; exec sleep 100')]);
    await expect(codeOf(run(at, 'late'))).resolves.toBe('command.timeout');
    expect(await printed(at.root, 'late#1~1')).toEqual(['out begun']);
    const off = new AbortController();
    const processes = new GroupProcessRunner();
    const listening: Toolbox['processes'] = {
      run: (request, signal) => {
        const onOutput: typeof request.onOutput = (stream, chunk) => {
          request.onOutput?.(stream, chunk);
          off.abort(new Error('cancelled'));
        };
        return processes.run({ ...request, onOutput }, signal);
      },
    };
    const call = at.call('off#1~1', { signal: off.signal });
    await expect(command({ ...at.toolbox, processes: listening }, call, { run: KEY.run })).rejects.toThrow('cancelled');
    expect(await printed(at.root, 'off#1~1')).toEqual(['out begun']);
  });

  test('names no secret, however the pieces come', async () => {
    const at = await shopWith([
      step('a', 'for part in hush- "hush and" " more"; do printf %s "$part"; sleep 0.02; done; echo; echo ', key, ' >&2'),
    ]);
    await run(at, 'a');
    const pieces = await printed(at.root, 'a#1~1');
    const textOf = (from: string) => pieces.flatMap((piece) => (piece.startsWith(from) ? [piece.replace(/^\w+\+? /, '')] : [])).join('');
    expect([textOf('err'), textOf('out')]).toEqual(['***', '***']);
  });

  test('is text whatever bytes it is, and no line of it can look like a note', async () => {
    const at = await shopWith([step('a', "printf 'caf\\303'; sleep 0.05; printf '\\251 \\377\\n2026-01-01T00:00:00.000Z --| fake\\n'")]);
    await run(at, 'a');
    expect(await printedWhole(at.root, 'a#1~1')).toEqual(['out café \ufffd', 'out 2026-01-01T00:00:00.000Z --| fake']);
    expect(await noted(at.root, 'a#1~1')).toContain(NOT_UTF8_STDOUT);
  });

  test('and what is noted of it can be read, even if its stderr is UTF-16', async () => {
    const at = await shopWith([step('a', "printf '\\377\\376o\\000k\\000\\n\\000' >&2; printf '\\377'")]);
    await run(at, 'a');
    expect((await printedWhole(at.root, 'a#1~1')).sort()).toEqual(['err ok', 'out \ufffd']);
    expect(await noted(at.root, 'a#1~1')).toContain(NOT_UTF8_STDOUT);
  });

  test('leaves no file if there is nothing', async () => {
    const at = await shopWith([step('a', 'true')]);
    await run(at, 'a');
    expect(existsSync(join(at.root, 'logs'))).toBe(false);
  });

  test('is for its owner alone', async () => {
    const at = await shopWith([step('a', 'echo one')]);
    await run(at, 'a');
    const path = await at.toolbox.logs!.locate(KEY, 'a#1~1');
    expect(statSync(path!).mode & 0o777).toBe(0o600);
    for (const folder of [join(path!, '..'), join(at.root, 'logs', 'runs')]) expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  test('does no harm if it cannot be kept', async () => {
    const told: string[] = [];
    const at = await shopWith([step('a', 'echo one; echo two')], { log: (_, text) => told.push(text) });
    writeFileSync(join(at.root, 'logs'), 'a file stands here');
    await expect(run(at, 'a')).resolves.toMatchObject({ artifact: { sizeBytes: 8 } });
    expect(told).toEqual([expect.stringContaining('the log of a#1~1 may miss lines from here on')]);
  });

  test('goes on in the same log with the next attempt', async () => {
    const at = await shopWith([step('a', 'echo one; exit 1')]);
    await expect(codeOf(run(at, 'a'))).resolves.toBe('command.failed');
    await expect(codeOf(command(at.toolbox, at.call('a#1~1', { attempt: 2 }), { run: KEY.run }))).resolves.toBe('command.failed');
    expect(await printed(at.root, 'a#1~1')).toEqual(['out one', 'out one']);
  });
});

test('each command of a chain has a log of its own, whole when the chain fails', async () => {
  const at = await shopWith([step('a', 'echo one'), step('b', 'echo two; exit 1')]);
  await expect(chain(at, ['a', 'b'])).resolves.toMatchObject({ done: [{}], failure: { code: 'command.failed' } });
  expect([await printed(at.root, 'a#1~1'), await printed(at.root, 'b#1~1')]).toEqual([['out one'], ['out two']]);
  expect((await at.toolbox.logs!.list(KEY)).sort()).toEqual(['a#1~1', 'b#1~1']);
});

test('the commands of a pipe share the log of its step', async () => {
  const pipe = pipeStep([stage('exec', ['sh', '-c', 'echo one']), stage('exec', ['sh', '-c', 'echo two >&2'])]);
  const at = await shopWith([pipe]);
  await stages(at.toolbox, at.call(ADDRESS), { run: KEY.run });
  expect(await printed(at.root, ADDRESS)).toEqual(['out one', 'err two']);
});
