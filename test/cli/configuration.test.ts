import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Options } from '../../cli/command';
import { type Configuration, loadConfiguration } from '../../cli/settings/configuration';
import { PipelineFiles } from '../../worker/pipeline-files';
import { scratchFolder } from '../support/scratch-folder';

let folder = '';
beforeEach(() => {
  folder = scratchFolder();
});

const load = (flags: Record<string, unknown> = {}, env: NodeJS.ProcessEnv = {}, cwd = folder): Configuration =>
  loadConfiguration(new Options(flags), { cwd, env, home: join(folder, 'home'), platform: 'linux' });

const profile = (text: string): void => {
  mkdirSync(join(folder, 'home', '.config', 'temporalio'), { recursive: true });
  writeFileSync(join(folder, 'home', '.config', 'temporalio', 'temporal.toml'), text);
};

test('without anything, the server is embedded and state lies in .thermidor', () => {
  const settings = load();
  expect(settings.address.value).toBeUndefined();
  expect(settings.stateDir.value).toBe(join(folder, '.thermidor'));
  expect(settings.taskQueue).toEqual({ value: 'thermidor', source: 'default' });
});

test('the weakest to the strongest: thermidor.yaml, profile, TEMPORAL_*, THERMIDOR_*, flag; each named as the source', () => {
  const env: NodeJS.ProcessEnv = {};
  const flags: Record<string, unknown> = {};
  const steps: [string, () => void, string][] = [
    ['yaml:1', () => writeFileSync(join(folder, 'thermidor.yaml'), 'address: yaml:1\n'), 'thermidor.yaml'],
    ['profile:1', () => profile('[profile.default]\naddress = "profile:1"\n'), 'profile.default'],
    ['temporal:1', () => Object.assign(env, { TEMPORAL_ADDRESS: 'temporal:1' }), 'TEMPORAL_ADDRESS'],
    ['thermidor:1', () => Object.assign(env, { THERMIDOR_ADDRESS: 'thermidor:1' }), 'THERMIDOR_ADDRESS'],
    ['flag:1', () => Object.assign(flags, { address: 'flag:1' }), '--address'],
  ];
  for (const [value, add, source] of steps) {
    add();
    const { address } = load(flags, env);
    expect(address.value).toBe(value);
    expect(address.source).toContain(source);
  }
});

test('mistakes of thermidor.yaml name it as those of pipelines name theirs: relative to the current folder, if it lies in it', () => {
  writeFileSync(join(folder, 'thermidor.yaml'), 'adress: x\n');
  const deep = join(folder, 'a');
  mkdirSync(deep);
  expect(() => load()).toThrow(/^thermidor\.yaml:1:1: /);
  expect(() => load({}, {}, deep)).toThrow(`${join(folder, 'thermidor.yaml')}:1:1: `);
  writeFileSync(join(folder, 'thermidor.yaml'), 'a: [\n');
  expect(() => load()).toThrow(/^thermidor\.yaml:\d+:\d+: is not YAML/);
});

test('an empty variable is none', () => {
  expect(load({}, { TEMPORAL_ADDRESS: '', THERMIDOR_ADDRESS: '' }).address.value).toBeUndefined();
});

test('thermidor.yaml is searched upwards, and its paths are relative to it', () => {
  writeFileSync(
    join(folder, 'thermidor.yaml'),
    'state_dir: state\npipelines: [flows]\nchannels: {"#errors": {mention: "@ops"}}\nuser: eve\n',
  );
  const deep = join(folder, 'a', 'b');
  mkdirSync(deep, { recursive: true });
  const settings = load({}, {}, deep);
  expect(settings.root).toBe(folder);
  expect(settings.stateDir.value).toBe(join(folder, 'state'));
  expect(settings.pipelines.value).toEqual([join(folder, 'flows'), join(folder, 'teams')]);
  expect(settings.channels.value).toEqual({ '#errors': { mention: '@ops' } });
  expect(settings.user.value).toBe('eve');
});

test('a folder that has state already is the root for those below it', () => {
  mkdirSync(join(folder, '.thermidor'));
  mkdirSync(join(folder, 'below'));
  expect(load({}, {}, join(folder, 'below')).root).toBe(folder);
});

test('pipelines are found in pipelines/, in teams/ and in the root', () => {
  expect(load().pipelines.value).toEqual([join(folder, 'pipelines'), join(folder, 'teams'), folder]);
  writeFileSync(join(folder, 'thermidor.yaml'), 'pipelines: [flows]\n');
  expect(load().pipelines.value).toEqual([join(folder, 'flows'), join(folder, 'teams')]);
});

test.each(['pipelines', 'teams'])('a worker that began before there was a folder %s finds what is in it', (name) => {
  const worker = load();
  const files = new PipelineFiles(worker.pipelines.value);
  expect(files.names()).toEqual([]);
  mkdirSync(join(folder, name));
  writeFileSync(join(folder, name, 'late.yaml'), 'name: late\nsteps: []\n');
  expect(files.find('late')).toBe(join(folder, name, 'late.yaml'));
  expect(load().pipelines).toEqual(worker.pipelines);
});

test.each([
  ['an unknown key', 'adress: x\n', 'adress'],
  ['a wrong type', 'namespace: 3\n', 'namespace'],
  ['a list', '- a\n', 'mapping'],
  ['text that is not YAML', 'a: [\n', 'YAML'],
  ['a second document', 'namespace: a\n---\nnamespace: b\n', 'thermidor.yaml:2:1: the file contains several YAML documents'],
  ['a second document that is not YAML', 'namespace: a\n---\n- [\n', 'thermidor.yaml:2:1: the file contains several YAML documents'],
  ['an unknown key of a channel', 'channels: {"#a": {hook: x}}\n', 'hook'],
])('%s in thermidor.yaml is exit 2', (_what, text, named) => {
  writeFileSync(join(folder, 'thermidor.yaml'), text);
  expect(() => load()).toThrow(expect.objectContaining({ exit: 2, code: 'settings.invalid' }));
  expect(() => load()).toThrow(named);
});

test('every mistake of thermidor.yaml is reported at once', () => {
  writeFileSync(join(folder, 'thermidor.yaml'), 'adress: x\nnamespace: 3\npipelines: x\n');
  try {
    load();
    throw new Error('not reached');
  } catch (error) {
    expect(error).toMatchObject({ more: { details: { problems: [expect.any(String), expect.any(String), expect.any(String)] } } });
  }
});

describe('the standard Temporal settings', () => {
  test('a key and TLS come from variables', () => {
    const settings = load({}, { TEMPORAL_ADDRESS: 'x:1', TEMPORAL_API_KEY: 'k', TEMPORAL_TLS_SERVER_NAME: 'cloud' });
    expect(settings.apiKey).toEqual({ value: 'k', source: 'TEMPORAL_API_KEY' });
    expect(settings.tls.value).toEqual({ serverName: 'cloud' });
  });

  test('an API key is never sent in the clear unless TLS is switched off by hand', () => {
    expect(load({}, { TEMPORAL_API_KEY: 'k' }).tls.value).toEqual({});
    expect(load({}, { TEMPORAL_API_KEY: 'k', TEMPORAL_TLS: 'false' }).tls.value).toBeUndefined();
  });

  test('TEMPORAL_PROFILE chooses the profile, and one that is not there is an error', () => {
    profile(
      '[profile.default]\naddress = "a:1"\n[profile.prod]\naddress = "p:1"\nnamespace = "prod"\n[profile.prod.tls]\nserver_name = "s"\n',
    );
    const settings = load({}, { TEMPORAL_PROFILE: 'prod' });
    expect([settings.address.value, settings.namespace.value, settings.tls.value]).toEqual(['p:1', 'prod', { serverName: 's' }]);
    expect(() => load({}, { TEMPORAL_PROFILE: 'nope' })).toThrow(expect.objectContaining({ exit: 2 }));
  });

  test.each([
    ['a table', '[profile.default]\naddress = "a:1" # here\n[profile.default.tls]\nserver_name = \'s\'\n'],
    ['an inline table', '[profile]\ndefault = { address = "a:1", tls = { server_name = "s" } }\n'],
    ['keys with dots', 'profile.default.address = "a:1"\nprofile.default.tls.server_name = "s"\n'],
    [
      'a table of a file that has more',
      'list = [\n  "x",\n]\n[profile."default"]\naddress = """\\\n  a:1"""\ntls.server_name = "s"\n[[more]]\nat = 2020-01-01\n',
    ],
  ])('a profile may be written as %s', (_, text) => {
    profile(text);
    const settings = load();
    expect([settings.address.value, settings.tls.value]).toEqual(['a:1', { serverName: 's' }]);
  });

  test('TLS is on if the profile has a table for it, and off if the table says so', () => {
    profile('[profile.default]\naddress = "a:1"\n[profile.default.tls]\n');
    expect(load().tls.value).toEqual({});
    profile('[profile.default]\naddress = "a:1"\n[profile.default.tls]\ndisabled = true\nserver_name = "s"\n');
    expect(load().tls.value).toBeUndefined();
  });

  test('a configuration file that is not TOML is refused with the place', () => {
    profile('[profile.default]\nthis is no toml\n');
    expect(() => load()).toThrow(
      expect.objectContaining({ exit: 2, code: 'settings.invalid', message: expect.stringMatching(/temporal\.toml:2:\d+: /) }),
    );
  });

  test('a profile that is not a table counts as none', () => {
    profile('profile = "default"\n');
    expect(load().address.value).toBeUndefined();
  });

  test('a configuration file that is named but not there is an error', () => {
    expect(() => load({}, { TEMPORAL_CONFIG_FILE: join(folder, 'nope.toml') })).toThrow(expect.objectContaining({ exit: 2 }));
  });
});
