import { parseSettings, type SettingsFile } from '../../cli/settings/settings-file';
import { mistakesOf } from './settings-mistakes';

const read = (text: string): SettingsFile => parseSettings('thermidor.yaml', text);

/** The report of each mistake, with its hint. */
function problemsOf(text: string): string[] {
  return mistakesOf(text).map(({ says, hint = '' }) => `${says}; ${hint}`);
}

test('people, groups, channels, mail, callbacks and prices are read whole', () => {
  const settings = read(`
people:
  chairman: { discord: "81234567890123456", slack: U0123, email: c@x.org, token: secret://env/CHAIRMAN, delegates: cfo }
  cfo:
groups: { board: [chairman, cfo, cfo] }
channels:
  "#desk": { webhook: https://x.org/h, webhook_secret: secret://env/HOOK, discord: d, slack: s, email: a@x.org, mention: "@c", approvers: [board, cfo] }
  "#inbox":
mail: { smtp: "smtp://user:pass@host:587", from: "Thermidor <thermidor@x.org>" }
callbacks:
  { host: 127.0.0.1, port: 0, url: "https://x.org/t/", secret: secret://env/KEY, discord_public_key: ${'AB'.repeat(32)}, slack_signing_secret: secret://env/S, rate: 120, teams: { crew: secret://env/CREW } }
prices: { as_of: 2026-11-01, models: { claude: { input: 3, output: 15, cache_write: 3.75, cache_read: 0 } } }
`);
  expect(settings).toEqual({
    directory: {
      people: {
        chairman: { discord: '81234567890123456', slack: 'U0123', email: 'c@x.org', token: 'secret://env/CHAIRMAN', delegates: ['cfo'] },
        cfo: {},
      },
      groups: { board: ['chairman', 'cfo'] },
    },
    channels: {
      '#desk': {
        webhook: 'https://x.org/h',
        webhookSecret: 'secret://env/HOOK',
        discord: 'd',
        slack: 's',
        email: ['a@x.org'],
        mention: '@c',
        approvers: ['board', 'cfo'],
      },
      '#inbox': {},
    },
    mail: { smtp: 'smtp://user:pass@host:587', from: 'Thermidor <thermidor@x.org>' },
    callbacks: {
      host: '127.0.0.1',
      port: 0,
      url: 'https://x.org/t',
      secret: 'secret://env/KEY',
      chats: { discord: 'ab'.repeat(32), slack: 'secret://env/S' },
      rate: 120,
      teams: { crew: 'secret://env/CREW' },
    },
    prices: { asOf: '2026-11-01', models: { claude: { input: 3, output: 15, cacheWrite: 3.75, cacheRead: 0 } } },
  });
});

test('how many agents of a pipeline are in flight is a whole number from 1 to 1000', () => {
  expect(read('agents_in_flight: 12')).toEqual({ agents_in_flight: 12 });
  for (const bad of ['0', '1001', '2.5', '"8"', '-1', '[8]', '.inf'])
    expect(problemsOf(`agents_in_flight: ${bad}`)).toEqual(['"agents_in_flight" must be a whole number from 1 to 1000; ']);
});

test('how many runs a worker keeps in memory is a whole number from 10 to 10000', () => {
  expect(read('cached_runs: 300')).toEqual({ cached_runs: 300 });
  for (const bad of ['9', '10001', '2.5', '"300"', 'false'])
    expect(problemsOf(`cached_runs: ${bad}`)).toEqual(['"cached_runs" must be a whole number from 10 to 10000; ']);
});

test('how long a worker waits for its steps as it ends is a duration from a second to a day', () => {
  expect(read('load: {memory: 70}')).toEqual({ load: { memory: 70 } });
  expect(problemsOf('load: {cpu: 9}')).toEqual(['"load.cpu" must be a whole number from 10 to 100; ']);
  expect(problemsOf('load: {disk: 9}')).toEqual([expect.stringContaining('unknown key "disk"')]);
  expect(read('shutdown: {grace: 2m}')).toEqual({ shutdown: { graceMs: 120_000 } });
  for (const bad of ['500ms', '25h', '30', 'soon'])
    expect(problemsOf(`shutdown: {grace: ${bad}}`)).toEqual(['"shutdown.grace" must be a duration from 1s to 24h, such as 30s; ']);
});

test('how old things get is a duration of a day at least, and outputs go with runs', () => {
  expect(read('retention: {runs: 30d, logs: 10d}')).toEqual({
    retention: { runsMs: 30 * 86_400_000, artifactsMs: 30 * 86_400_000, logsMs: 10 * 86_400_000 },
  });
  for (const bad of ['23h', '0d', '30', '-1d', 'never'])
    expect(problemsOf(`retention: {artifacts: ${bad}}`)).toEqual([
      '"retention.artifacts" must be a duration of at least 1d, such as 30d; ',
    ]);
});

test('how the server tells builds apart is one of three words', () => {
  for (const versions of ['auto', 'pinned', 'off']) expect(read(`versions: ${versions}`)).toEqual({ versions });
  for (const bad of ['true', 'false', '1', '[auto]', 'on'])
    expect(problemsOf(`versions: ${bad}`)).toEqual(['"versions" must be "auto", "pinned" or "off"; ']);
});

test('whether workers keep stack traces is true or false', () => {
  expect(read('stack_traces: true')).toEqual({ stack_traces: true });
  for (const bad of ['1', '"yes"', '[true]'])
    expect(problemsOf(`stack_traces: ${bad}`)).toEqual(['"stack_traces" must be true or false; ']);
});

test.each([
  ['a member that nobody is, with a suggestion', 'people: {chairman: {}}\ngroups: {board: [chairmen]}', 'did you mean "chairman"'],
  ['a group within a group', 'people: {a: {}}\ngroups: {x: [a], y: [x]}', 'the group "x"'],
  ['a group without members', 'people: {a: {}}\ngroups: {x: []}', 'groups.x'],
  ['a name for a person and a group', 'people: {a: {}}\ngroups: {a: [a]}', 'a person and a group'],
  ['a person whose name means anybody', 'people: {human: {}}', 'anybody'],
  ['a name that is none', 'people: {"a b": {}}', 'people.a b'],
  ['an id that YAML reads as a number', 'people: {a: {discord: 81234567890123456789}}', 'put it in quotes'],
  ['a token that is written down', 'people: {a: {token: hunter2}}', 'people.a.token'],
  ['a delegate that nobody is', 'people: {a: {delegates: [bobb]}, bob: {}}', 'did you mean "bob"'],
  ['a delegate of their own', 'people: {a: {delegates: a}}', 'somebody else'],
  ['an id that two people have', 'people: {a: {slack: U1}, b: {slack: U1}}', 'they must differ'],
  ['an unknown key of a person, with a suggestion', 'people: {a: {slak: U1}}', 'did you mean "slack"'],
  ['an e-mail address that is none', 'people: {a: {email: here}}', 'people.a.email'],
  ['a signing key that is written down', 'channels: {"#a": {webhook: x, webhook_secret: y}}', 'webhook_secret'],
  ['a signing key with nothing to sign', 'channels: {"#a": {webhook_secret: secret://env/A}}', 'nothing to sign'],
  ['an approver of a channel whom nobody knows', 'people: {ann: {}}\nchannels: {"#a": {approvers: [an]}}', 'did you mean "ann"'],
  ['a channel in which nobody could decide', 'channels: {"#a": {approvers: []}}', 'empty list'],
  ['a person who would be everybody', 'people: {anyone: {}}', 'means anybody'],
  ['mail without a sender', 'mail: {smtp: "smtp://h"}', 'both'],
  ['a mail server that is none', 'mail: {smtp: "http://h", from: a@b}', 'mail.smtp'],
  ['a port that is none', 'callbacks: {port: 70000}', 'callbacks.port'],
  ['a public key of another length', 'callbacks: {discord_public_key: abc}', '64 hexadecimal'],
  ['an address that is none', 'callbacks: {url: example.org}', 'callbacks.url'],
  ['a key of a team that is written out', 'callbacks: {teams: {crew: hunter2}}', 'callbacks.teams.crew'],
  ['teams without keys', 'callbacks: {teams: [crew]}', 'callbacks.teams'],
  ['a rate of nothing', 'callbacks: {rate: 0}', 'callbacks.rate'],
  ['a negative price', 'prices: {models: {m: {input: -1, output: 1}}}', 'prices.models.m.input'],
  ['a price without output', 'prices: {models: {m: {input: 1}}}', '"output"'],
  ['a day that is none', 'prices: {as_of: soon}', 'prices.as_of'],
])('%s is refused', (_what, text, said) => {
  const problems = problemsOf(text);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toContain(said);
});

test('every mistake is reported at once, in all parts of the file', () => {
  const text =
    'peple: {}\npeople: {a: {slak: x}}\ngroups: {g: [b]}\nmail: {smtp: x, from: y}\nprices: {models: {m: {input: -1, output: x}}}';
  expect(problemsOf(text)).toHaveLength(7);
});
