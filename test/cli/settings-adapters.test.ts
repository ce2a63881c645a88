import { parseSettings } from '../../cli/settings/settings-file';
import { mistakesOf } from './settings-mistakes';

test('every way to run an agent is read, and names for models', () => {
  const settings = parseSettings(
    'thermidor.yaml',
    `
adapters:
  anthropic: { key: secret://env/TEAM_KEY, base_url: "https://proxy.x.org/anthropic/", headers: { x-team: quant, x-api-token: secret://env/T } }
  local: { kind: openai, base_url: "http://127.0.0.1:11434/v1", model: qwen3 }
  mybot: { kind: cli, command: [mybot, --json], args: ["1"], prompt: argument, output: json, pass_env: [CI, CI], env: { A: b, E: "" }, model: m }
  claude: { args: [--max-turns, "30"] }
  second: { kind: cli, preset: codex }
  openai:
models: { fast: claude-haiku-4-5, deep: { adapter: local, model: qwen3 }, mine: { model: m } }
default_adapter: local
`,
  );
  expect(settings).toEqual({
    adapters: {
      anthropic: {
        kind: 'anthropic',
        key: 'secret://env/TEAM_KEY',
        baseUrl: 'https://proxy.x.org/anthropic',
        headers: { 'x-team': 'quant', 'x-api-token': 'secret://env/T' },
      },
      local: { kind: 'openai', baseUrl: 'http://127.0.0.1:11434/v1', model: 'qwen3' },
      mybot: {
        kind: 'cli',
        command: ['mybot', '--json'],
        args: ['1'],
        prompt: 'argument',
        output: 'json',
        passEnv: ['CI'],
        env: { A: 'b', E: '' },
        model: 'm',
      },
      claude: { kind: 'cli', args: ['--max-turns', '30'] },
      second: { kind: 'cli', preset: 'codex' },
      openai: { kind: 'openai' },
    },
    models: { fast: { model: 'claude-haiku-4-5' }, deep: { model: 'qwen3', adapter: 'local' }, mine: { model: 'm' } },
    default_adapter: 'local',
  });
});

test.each<[what: string, text: string, path: string, ...hint: string[]]>([
  ['no mapping', 'adapters: [anthropic]', 'adapters'],
  ['a name of its own without a kind', 'adapters: {mybot: {command: [x]}}', 'adapters.mybot'],
  ['a name that is nearly one that is there', 'adapters: {anthropc: {}}', 'adapters.anthropc', 'did you mean "anthropic"?'],
  ['a kind that there is not', 'adapters: {a: {kind: opnai}}', 'adapters.a.kind', 'did you mean "openai"?'],
  ['the name of scripts', 'adapters: {scripted: {kind: openai}}', 'adapters.scripted'],
  ['a kind as a name', 'adapters: {cli: {kind: cli, command: [x]}}', 'adapters.cli'],
  ['a name that is none', 'adapters: {"1a": {kind: openai}}', 'adapters.1a'],
  ['a key of another kind', 'adapters: {anthropic: {command: [x]}}', 'adapters.anthropic.command'],
  ['a key nobody knows', 'adapters: {anthropic: {base_ur: x}}', 'adapters.anthropic.base_ur', 'did you mean "base_url"?'],
  ['a key that is written out', 'adapters: {anthropic: {key: sk-ant-123}}', 'adapters.anthropic.key'],
  ['an address with a password', 'adapters: {openai: {base_url: "https://u:p@x.org"}}', 'adapters.openai.base_url'],
  ['an address with a question', 'adapters: {openai: {base_url: "https://x.org/?a=1"}}', 'adapters.openai.base_url'],
  ['an address that is none', 'adapters: {openai: {base_url: localhost:1}}', 'adapters.openai.base_url'],
  ['a header that is ours', 'adapters: {openai: {headers: {Host: x}}}', 'adapters.openai.headers.Host'],
  ['a header that is none', 'adapters: {openai: {headers: {"a b": x}}}', 'adapters.openai.headers.a b'],
  ['a secret in a header', 'adapters: {openai: {headers: {x-api-key: abc}}}', 'adapters.openai.headers.x-api-key'],
  ['a header of two lines', 'adapters: {openai: {headers: {x-team: "a\\nb"}}}', 'adapters.openai.headers.x-team'],
  ['a model that is a number', 'adapters: {openai: {model: 4}}', 'adapters.openai.model', 'put it in quotes'],
  ['a program without a command', 'adapters: {mybot: {kind: cli}}', 'adapters.mybot'],
  ['a command that is a text', 'adapters: {mybot: {kind: cli, command: my bot}}', 'adapters.mybot.command'],
  ['a command without a program', 'adapters: {mybot: {kind: cli, command: [""]}}', 'adapters.mybot.command'],
  ['a number among arguments', 'adapters: {claude: {args: [--max-turns, 30]}}', 'adapters.claude.args'],
  ['a preset that there is not', 'adapters: {a: {kind: cli, preset: claud}}', 'adapters.a.preset', 'did you mean "claude"?'],
  ['a way to prompt that there is not', 'adapters: {claude: {prompt: file}}', 'adapters.claude.prompt'],
  ['a variable that is none', 'adapters: {claude: {pass_env: ["A=B"]}}', 'adapters.claude.pass_env'],
  ['a variable with a number', 'adapters: {claude: {env: {A: 1}}}', 'adapters.claude.env.A', 'put it in quotes'],
  ['an alias of nothing', 'models: {fast: }', 'models.fast'],
  ['an alias without a model', 'models: {fast: {adapter: openai}}', 'models.fast'],
  [
    'an alias by an adapter that there is not',
    'models: {fast: {adapter: opnai, model: m}}',
    'models.fast.adapter',
    'did you mean "openai"?',
  ],
  ['an alias of an alias', 'models: {fast: deep, deep: m}', 'models.fast', 'write the model’s real name'],
  ['a key of an alias nobody knows', 'models: {fast: {modl: m, model: m}}', 'models.fast.modl', 'did you mean "model"?'],
  ['a default that there is not', 'default_adapter: antropic', 'default_adapter', 'did you mean "anthropic"?'],
  ['metrics without a port', 'metrics: {host: 0.0.0.0}', 'metrics'],
  ['a port that there is not', 'metrics: {port: 99999}', 'metrics.port'],
  ['traces without an address', 'traces: {headers: {x-team: red}}', 'traces'],
  ['traces to no address', 'traces: {url: "127.0.0.1:4318"}', 'traces.url'],
  ['traces with a password', 'traces: {url: "https://me:pw@collector"}', 'traces.url'],
  ['traces with a secret in a header', 'traces: {url: "http://c:1", headers: {authorization: abc}}', 'traces.headers.authorization'],
  ['prices that are no mapping', 'prices: {models: [m]}', 'prices.models'],
  ['a price that is text', 'prices: {models: {m: {input: "3", output: 1}}}', 'prices.models.m.input'],
  [
    'a key of a price nobody knows',
    'prices: {models: {m: {input: 1, output: 1, cash_read: 0}}}',
    'prices.models.m.cash_read',
    'did you mean "cache_read"?',
  ],
])('is a mistake that is reported once, at its key: %s', (_what, text, path, ...hints) => {
  const mistakes = mistakesOf(text);
  expect(mistakes.map((mistake) => mistake.path)).toEqual([path]);
  expect(mistakes[0]?.place).toMatchObject({ file: 'thermidor.yaml', line: 1 });
  for (const hint of hints) expect(mistakes[0]?.hint).toBe(hint);
});

test.each([
  ['http://c:4318', 'http://c:4318/v1/traces'],
  ['http://c:4318/', 'http://c:4318/v1/traces'],
  ['https://c/otlp/traces', 'https://c/otlp/traces'],
])('traces to %s go to %s', (url, expected) => {
  expect(parseSettings('thermidor.yaml', `traces: { url: "${url}" }`)).toMatchObject({ traces: { url: expected } });
});

test('all mistakes are reported together, in the order of the text, each with its line and column', () => {
  const text = `mcp:
  fs: { command: npx }
prices:
  models:
    m: { input: -1, output: 1 }
adapters:
  local:
    kind: openai
    base_url: here
  mybot: {}
models:
  fast: { adapter: nobody, model: m }
metrics: {}
tools:
  fetch: { allow_privte: [] }
defalt_adapter: x
`;
  expect(mistakesOf(text).map(({ path, place }) => `${place?.line}:${place?.column} ${path}`)).toEqual([
    '2:18 mcp.fs.command',
    '5:17 prices.models.m.input',
    '9:15 adapters.local.base_url',
    '10:3 adapters.mybot',
    '12:20 models.fast.adapter',
    '13:1 metrics',
    '15:12 tools.fetch.allow_privte',
    '16:1 defalt_adapter',
  ]);
});

test('of one mistake the place, what is wrong and what to do are distinguished; of several each has a line', () => {
  const failed = (text: string) => () => parseSettings('t.yaml', text);
  expect(failed('\nmodels: {fast: {adapter: opnai, model: m}}')).toThrow(
    expect.objectContaining({
      message: expect.stringMatching(/^t\.yaml:2:26: /),
      more: expect.objectContaining({ hint: 'did you mean "openai"?' }),
    }),
  );
  expect(failed('metrics: {}\nmails: {}')).toThrow(
    expect.objectContaining({
      more: expect.objectContaining({
        details: expect.objectContaining({
          problems: [expect.stringMatching(/^t\.yaml:1:1: /), expect.stringMatching(/^t\.yaml:2:1: .*; /)],
        }),
      }),
    }),
  );
  expect(failed('a: {\n')).toThrow(/^t\.yaml:2:1: /);
});

test('names that mean something to JavaScript are names', () => {
  const { models, prices } = parseSettings(
    't.yaml',
    'models: {__proto__: m, constructor: n}\nprices: {models: {__proto__: {input: 1, output: 2}}}',
  );
  expect(Object.keys(models ?? {})).toEqual(['__proto__', 'constructor']);
  expect(Object.keys(prices?.models ?? {})).toEqual(['__proto__']);
});
