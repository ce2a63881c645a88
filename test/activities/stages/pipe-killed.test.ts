import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GroupProcessRunner } from '../../../activities/adapters/processes/process-runner';
import type { ProcessRunner } from '../../../activities/ports';
import { stages } from '../../../activities/stages/stages-activity';
import { KEY } from '../workshop';
import { ADDRESS, run, shop, stage, step, stored } from './pipe-step';

describe('a pipe whose worker is killed', () => {
  /** Commands. The worker never sees the end of the one with `kill`. */
  function mortal(): ProcessRunner & { ran: string[] } {
    const real = new GroupProcessRunner();
    const ran: string[] = [];
    return Object.assign(Object.create(real) as GroupProcessRunner, {
      ran,
      run: async (request: Parameters<ProcessRunner['run']>[0], signal: AbortSignal) => {
        const line = 'shell' in request.command ? request.command.shell : request.command.argv.join(' ');
        ran.push(line);
        if (line.includes('kill') && ran.filter((one) => one === line).length === 1) throw new Error('killed');
        return await real.run(request, signal);
      },
    });
  }

  test('goes on at the stage it was in', async () => {
    const processes = mortal();
    const at = shop(undefined, { processes });
    const pipe = [
      stage('exec', ['echo one']),
      stage('exec', ['cat; : kill'], { stdin: 'raw' }),
      stage('exec', ['cat; : end'], { stdin: 'raw' }),
    ];
    await expect(run(at, step(pipe))).rejects.toThrow('killed');
    const again = await stages(at.toolbox, at.call(ADDRESS, { attempt: 2 }), { run: KEY.run });
    expect(again.kind === 'done' && (await stored(at, again.output.artifact)).stdout).toBe('one');
    expect(processes.ran).toEqual(['echo one', 'cat; : kill', 'cat; : kill', 'cat; : end']);
  });

  test('gives again what it gave', async () => {
    const processes = mortal();
    const at = shop(undefined, { processes });
    const first = await run(at, step([stage('exec', ['echo one'])]));
    expect(await stages(at.toolbox, at.call(ADDRESS, { attempt: 2 }), { run: KEY.run })).toEqual(first);
    expect(processes.ran).toHaveLength(1);
  });

  test('keeps a large result too', async () => {
    const at = shop(undefined, { processes: mortal() });
    writeFileSync(join(at.root, 'large'), JSON.stringify('y'.repeat(100_000)));
    const pipe = [stage('exec', ['cat', join(at.root, 'large')], { json: true }), stage('exec', ['wc -c; : kill'], { stdin: 'raw' })];
    await expect(run(at, step(pipe))).rejects.toThrow('killed');
    const again = await stages(at.toolbox, at.call(ADDRESS, { attempt: 2 }), { run: KEY.run });
    expect(again.kind === 'done' && (await stored(at, again.output.artifact)).stdout.trim()).toBe('100000');
  });
});
