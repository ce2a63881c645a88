import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Options } from '../../cli/command';
import { execute as graph } from '../../cli/commands/graph';
import { execute as init } from '../../cli/commands/init';
import { execute as plan } from '../../cli/commands/plan';
import { execute as run } from '../../cli/commands/run';
import { EXIT } from '../../cli/exit';
import { scratchFolder } from '../support/scratch-folder';
import { fakeTerminal } from './fake-terminal';

/** Commands on pipelines, called without a server: files in, text or one JSON document out. */
let cwd = '';
beforeEach(async () => {
  cwd = scratchFolder();
  await call(init, []);
  writeFileSync(
    join(cwd, 'release.yaml'),
    `name: release
args: {version: {type: string, required: true}, deploy: {type: boolean, default: true}}
steps:
  - id: build
    run: make \${version}
  - id: ship
    run: ship \${build.file}
    when: args.deploy && build.ok
`,
  );
});

const catalogue = { commands: [], nouns: {} };
async function call(command: typeof init, args: string[], options: Record<string, unknown> = {}) {
  const terminal = fakeTerminal({ cwd, env: { USER: 'eve' } });
  return { exit: await command({ args, options: new Options(options), terminal, catalogue }), ...terminal.written };
}
const release = (): string => join(cwd, 'release.yaml');

describe('run --dry-run', () => {
  test('tells what would run, and starts, asks and stores nothing', async () => {
    const { exit, out } = await call(run, [release()], { dryRun: true, arg: ['version=1.4.0 beta'] });
    expect(exit).toBe(EXIT.done);
    expect(out).toContain("run: make '1.4.0 beta'");
    expect(out).toContain('run: ship ⟨build.file⟩');
    expect(existsSync(join(cwd, '.thermidor'))).toBe(false);
  });

  test('with --json is one document', async () => {
    const { out } = await call(run, [release()], { dryRun: true, json: true, arg: ['version=1', 'deploy=false'], id: 'r-1' });
    expect(JSON.parse(out)).toMatchObject({
      pipeline: 'release',
      args: { version: '1', deploy: false },
      steps: [
        { id: 'build', turn: 1 },
        { id: 'ship', skipped: expect.any(String) },
      ],
      problems: [],
    });
  });

  test('finds what is wrong with the order, as a run does', async () => {
    await expect(call(run, [release()], { dryRun: true })).rejects.toMatchObject({ exit: EXIT.usage, code: 'args.invalid' });
    await expect(call(run, [release()], { dryRun: true, arg: ['version=1'], id: 'a b' })).rejects.toMatchObject({ exit: EXIT.usage });
  });

  test('an agent that nobody here can run is a problem that is reported, and a script solves it', async () => {
    const hello = join(cwd, 'pipelines', 'hello.yaml');
    const scripted = JSON.parse((await call(run, [hello], { dryRun: true, json: true, script: 'hello' })).out) as {
      script: string;
      problems: string[];
      steps: { does: { kind: string; adapter?: string } }[];
    };
    expect(scripted).toMatchObject({ script: 'hello', problems: [] });
    expect(scripted.steps.flatMap(({ does }) => does.adapter ?? [])).toContain('scripted');
    const alone = JSON.parse((await call(run, [hello], { dryRun: true, json: true })).out) as { problems: string[] };
    expect(alone.problems).toHaveLength(1);
  });
});

test('plan --json is the frozen plan, with what of each step controls the run', async () => {
  const { out } = await call(plan, [release()], { json: true });
  expect(JSON.parse(out)).toMatchObject({ name: 'release', block: { steps: [{ id: 'build', reads: [['ok']] }, { id: 'ship' }] } });
  expect((await call(plan, [release()])).out).toContain('controls the run by: ok');
});

test('graph --json has the picture as data and in the format that was asked for', async () => {
  const { out } = await call(graph, [release()], { json: true, format: 'dot' });
  expect(JSON.parse(out)).toMatchObject({
    nodes: [{ id: 'build' }, { id: 'ship', conditional: true }],
    edges: [{ from: 'build', to: 'ship', kind: 'order' }],
    dot: expect.stringContaining('"build" -> "ship"'),
  });
});
