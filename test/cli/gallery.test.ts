import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Options } from '../../cli/command';
import { execute as init } from '../../cli/commands/init';
import { execute as run } from '../../cli/commands/run';
import { execute as test_ } from '../../cli/commands/test';
import { execute as validate } from '../../cli/commands/validate';
import { EXIT } from '../../cli/exit';
import { GALLERY, REPOSITORY_TEMPLATE } from '../../cli/init/gallery';
import { HELLO } from '../../cli/init/hello-template';
import { readInitTemplate } from '../../cli/init/template-files';
import { buildProgram } from '../../cli/program';
import { parseSettings } from '../../cli/settings/settings-file';
import { scratchFolder } from '../support/scratch-folder';
import { fakeTerminal } from './fake-terminal';

const ROOT = join(__dirname, '..', '..');
/** The example for repositories is tested in `init-repository.test.ts`. */
const NAMES = GALLERY.map(({ name }) => name).filter((name) => name !== REPOSITORY_TEMPLATE);

let cwd = '';
beforeEach(() => {
  cwd = scratchFolder();
});

const catalogue = { commands: [], nouns: {} };
async function call(command: typeof init, args: string[], options: Record<string, unknown> = {}, env: NodeJS.ProcessEnv = {}) {
  const terminal = fakeTerminal({ cwd, env });
  const exit = await command({ args, options: new Options(options), terminal, catalogue });
  return { exit, out: terminal.written.out };
}
const write = (template: string, folder = '.') => call(init, [folder], { template });

async function diagnosticsOf(name: string): Promise<unknown> {
  const { exit, out } = await call(validate, [join(cwd, `pipelines/${name}.yaml`)], { script: name, json: true });
  const { files } = JSON.parse(out) as { files: { diagnostics: unknown[]; problem?: unknown }[] };
  return { exit, files: files.map(({ diagnostics, problem }) => problem ?? diagnostics) };
}
const FINE = { exit: EXIT.done, files: [[]] };

describe('the gallery', () => {
  test('has a folder for each template, and a template for each folder', () => {
    expect([...NAMES, REPOSITORY_TEMPLATE].sort()).toEqual(readdirSync(join(ROOT, 'examples', 'templates')).sort());
  });

  test('is listed, a line a template, with the line that writes one', async () => {
    const { exit, out } = await call(init, [], { template: true });
    expect(exit).toBe(EXIT.done);
    for (const { name, purpose } of GALLERY) expect(out).toMatch(new RegExp(`^${name} +${purpose}$`, 'm'));
    expect(out).toContain(`thermidor init my-team --template ${NAMES[0]}`);
    expect(readdirSync(cwd)).toEqual([]);
  });

  test('answers an unknown name with the one that is meant', async () => {
    const terminal = fakeTerminal({ cwd });
    const program = buildProgram(terminal, '0', () => Promise.reject(new Error('nothing is to run')));
    await expect(program.parseAsync(['init', 'x', '--template', 'relase'], { from: 'user' })).rejects.toMatchObject({
      code: 'commander.invalidArgument',
    });
    expect(terminal.written.err).toContain('did you mean "release"?');
    expect(terminal.written.err).toContain('--template');
  });

  test('has files that say the same wherever two templates have one of the same name', () => {
    const seen = new Map<string, string>();
    for (const { files } of [HELLO, ...GALLERY.map((template) => readInitTemplate(template))]) {
      for (const [path, text] of Object.entries(files)) {
        expect(seen.get(path) ?? text).toBe(text);
        seen.set(path, text);
      }
    }
    expect(seen.size).toBeGreaterThan(50);
  });
});

describe.each(NAMES)('the template %s', (name) => {
  const commands = GALLERY.find((template) => template.name === name)?.commands ?? [];

  test('is valid if it is written into an empty folder, script and settings and all, without a warning', async () => {
    expect(await write(name)).toMatchObject({ exit: EXIT.done });
    expect(await diagnosticsOf(name)).toEqual(FINE);
    const settings = readFileSync(join(cwd, 'thermidor.yaml'), 'utf8');
    expect(parseSettings('thermidor.yaml', settings)).toMatchObject({ pipelines: ['pipelines'] });
    // A setting that is present is not offered a second time: removing the # would make the key a duplicate.
    expect(() => parseSettings('thermidor.yaml', settings.replaceAll(/^#(?! )|^#(?= {2})/gm, ''))).not.toThrow();
  });

  test('has tests that pass, and reach every step and every branch', async () => {
    await write(name);
    const { exit, out } = await call(test_, [], { coverageMin: '100', coverageMinBranches: '100', json: true });
    const report = JSON.parse(out) as { files: { tests: { name: string; ok: boolean; failing: unknown }[] }[]; coverage: unknown };
    expect(report.files.flatMap(({ tests }) => tests.filter(({ ok }) => !ok))).toEqual([]);
    expect(report).toMatchObject({ ok: true, coverage: [{ steps: { percent: 100 }, branches: { percent: 100 }, missed: [] }] });
    expect(exit).toBe(EXIT.done);
  });

  test('has lines to try that the command line takes as they are', async () => {
    const { out } = await write(name, 'my team');
    expect(out).toContain("Try:\n  cd 'my team'\n");
    for (const line of commands) expect(out).toContain(`  ${line}\n`);
    const ran: string[] = [];
    for (const line of commands.filter((one) => one.startsWith('thermidor '))) {
      const program = buildProgram(fakeTerminal({ cwd }), '0', async (spec) => void ran.push(spec.name));
      await program.parseAsync(line.split(' ').slice(1), { from: 'user' });
    }
    expect(ran).toEqual(expect.arrayContaining(['test', 'run']));
  });

  test('shows in a dry run what going live needs, which is nothing but a key', async () => {
    await write(name);
    const args = name === 'release' ? { arg: ['version=1.4.0'] } : {};
    const problems = async (env: NodeJS.ProcessEnv) => {
      const { out } = await call(run, [name], { live: true, dryRun: true, json: true, ...args }, env);
      return (JSON.parse(out) as { problems: string[] }).problems;
    };
    expect((await problems({})).join()).toContain('ANTHROPIC_API_KEY');
    expect(await problems({ ANTHROPIC_API_KEY: 'k' })).toEqual([]);
  });
});

describe('a template in a folder that is in use', () => {
  test('fits with the others: all are valid once the settings have what was printed', async () => {
    await call(init, []);
    const printed: string[] = [];
    for (const name of NAMES) printed.push((await write(name)).out);
    const wanted = printed.join('\n');
    for (const needed of ['release_managers: [ann, ben, cleo]', 'on_call: [ann, ben]', "as_of: '2026-11-01'"])
      expect(wanted).toContain(needed);
    const settings = `pipelines: [pipelines]
people: {ann: {token: secret://env/ANN}, ben: {token: secret://env/BEN}, cleo: {token: secret://env/CLEO}}
groups: {release_managers: [ann, ben, cleo], on_call: [ann, ben], leads: [cleo]}
prices: {as_of: 2026-11-01, models: {claude-sonnet-5-5: {input: 2, output: 10}, claude-haiku-4-5: {input: 1, output: 5}}}
`;
    writeFileSync(join(cwd, 'thermidor.yaml'), settings);
    for (const name of NAMES) {
      expect((await write(name)).out).not.toContain('Add what');
      expect(await diagnosticsOf(name)).toEqual(FINE);
    }
    // Its people are not among those of the settings.
    expect(await call(test_, ['pipelines/research-and-review.test.yaml'])).toMatchObject({ exit: EXIT.done });
  });

  test('keeps what is there, says if that is not its own, and prints only the settings that are missing', async () => {
    mkdirSync(join(cwd, 'pipelines'));
    writeFileSync(join(cwd, 'pipelines/release.yaml'), 'name: mine\n');
    const mine = 'pipelines: [flows]\npeople: {ann: {token: secret://env/MINE}, ben: {}}\ngroups: {on_call: [ann]}\n';
    writeFileSync(join(cwd, 'thermidor.yaml'), mine);
    const { out } = await write('release');
    expect(readFileSync(join(cwd, 'pipelines/release.yaml'), 'utf8')).toBe('name: mine\n');
    expect(readFileSync(join(cwd, 'thermidor.yaml'), 'utf8')).toBe(mine);
    expect(out).toMatch(/^= pipelines\/release.yaml {2}kept as it is, with other content$/m);
    expect(out).toMatch(/^\+ pipelines\/release.test.yaml$/m);
    const printed = out.slice(out.indexOf('needs:'), out.indexOf('Try:'));
    expect(printed).toMatch(
      /people:\n {4}ben: .*\n {4}cleo: .*\n {2}groups:\n {4}release_managers: .*\n {2}pipelines:\n {4}- flows\n {4}- pipelines\n/,
    );
    expect(printed).not.toContain('ann:');
    expect((await write('release')).out).toMatch(/^= pipelines\/release.test.yaml {2}kept as it is$/m);
  });

  test.each(['', '{', '- a list\n', 'people:\n'])('takes settings that say %j for settings that have nothing', async (text) => {
    writeFileSync(join(cwd, 'thermidor.yaml'), text);
    const { exit, out } = await write('incident');
    expect(exit).toBe(EXIT.done);
    expect(out).toMatch(/people:\n {4}ann: \{\}\n/);
  });

  test('fails, and does not say that it kept something, if a folder cannot be made', async () => {
    writeFileSync(join(cwd, 'pipelines'), 'a file\n');
    await expect(write('release')).rejects.toMatchObject({ exit: EXIT.failed, code: 'folder.unwritable' });
    await expect(call(init, [])).rejects.toMatchObject({ code: 'folder.unwritable' });
  });

  test('fails if the package has no such files', () => {
    const [template] = GALLERY;
    expect(() => template && readInitTemplate(template, cwd)).toThrow(expect.objectContaining({ code: 'template.missing' }));
  });
});
