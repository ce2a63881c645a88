import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { secretEncodings } from '../../../plan/text/secret-encodings';
import { call, say } from '../../support/messages-server/served';
import type { Received } from '../../support/model-server/received';
import { runOf, status } from '../support/runs';
import { SET_UP_MS } from '../support/scratch';
import { type LiveScratch, liveScratch } from './service';

/**
 * An agent that wants to get at secrets, or is talked into it, leaves none on the disk of the worker, of the server or in a recording, in
 * any form that the test looks for. (The model itself knows the secret arg: the step's prompt says it.)
 */
const ARG = 'arg-hush-"7c1f"-9b2e';
const PIPELINE = `
name: leak
args: { token: { secret: true } }
agents:
  spy: { role: You look around., tools: [read_file, grep, run, fetch_url, write_file], adapter: anthropic }
steps:
  - { id: look, agent: spy, prompt: "Use \${args.token} as it is meant.", cwd: work, schema: { type: object, required: [said], properties: { said: { type: string } } } }
  - { id: tell, agent: spy, prompt: "Tell what was found: \${look.said}" }
`;

let live: LiveScratch;
let key: string;

beforeAll(async () => {
  live = await liveScratch();
  key = live.server.key;
  await live.scratch.keepServer();
  live.scratch.write('pipelines/leak.yaml', PIPELINE);
  live.scratch.write('work/.env', `TOKEN=${ARG}\nKEY=${key}\n`);
}, SET_UP_MS);
afterAll(() => live.close());

const sh = (script: string): [string, { argv: string[] }] => ['run', { argv: ['sh', '-c', script] }];

/** The first step looks wherever a secret may be, then says all that it knows; so does the second, which fails. */
function serve({ idempotencyKey }: Received): ReturnType<typeof call> {
  const turn = Number(idempotencyKey.split('/').at(-1));
  if (idempotencyKey.includes('/tell#')) return say(`${ARG} ${key}`);
  if (turn > 1) return say(JSON.stringify({ said: `${ARG} ${key} ${Buffer.from(`x${ARG}`).toString('base64')}` }));
  return call(
    ['read_file', { path: '.env' }],
    ['grep', { pattern: 'TOKEN|KEY' }],
    sh('cat .env >&2; base64 -w0 .env; od -An -tx1 -v .env | tr -d " \\n"; exit 3'),
    // No program may see the worker's environment, although any program of its user could read it.
    sh("p=$$; while [ $p -gt 1 ]; do tr '\\0' '\\n' </proc/$p/environ; p=$(awk '/^PPid/{print $2}' /proc/$p/status); done"),
    ['fetch_url', { url: `http://127.0.0.1:1/?token=${encodeURIComponent(ARG)}` }],
    ['write_file', { path: '../out', content: key }],
    ['no_such_tool', { [ARG]: key }],
  );
}

function* filesBelow(folder: string): Generator<string> {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats?.isDirectory()) yield* filesBelow(path);
    else if (stats?.isFile()) yield path;
  }
}

test('no secret is left in history, journal, transcripts, artifacts, logs or recordings', async () => {
  const { scratch, server } = live;
  live.serve(serve);
  const running = scratch.thermidorWith(
    { RUN_TOKEN: ARG },
    'run',
    'pipelines/leak.yaml',
    '--arg',
    'token=secret://env/RUN_TOKEN',
    '--record',
    'rec.yaml',
  );
  const run = await runOf(running);
  const { code, out, err } = await running.finished;
  expect({ code, err }).toMatchObject({ code: 0 });
  expect((await status(scratch, run)).state).toBe('completed');
  expect(server.requests).toHaveLength(3);

  const history = await scratch.temporal('workflow', 'show', '-w', run, '--output', 'json', '--address', (await scratch.server()).address);
  const shown = await scratch.ask('show', run, 'look', '--transcript');
  const journal = await scratch.ask('journal', run, '--json');
  const texts: [string, Buffer][] = [
    ...Object.entries({ out, err, history: history.out, shown: shown.out, journal: journal.out }).map(([name, text]): [string, Buffer] => [
      name,
      Buffer.from(text),
    ]),
    ...[...filesBelow(scratch.stateDir), scratch.path('rec.yaml')].map((path): [string, Buffer] => [path, readFileSync(path)]),
  ];
  const found = texts.flatMap(([name, text]) =>
    [ARG, key].flatMap((secret) => secretEncodings(secret).flatMap((form) => (text.includes(form) ? [`${name}: ${form}`] : []))),
  );
  expect(found).toEqual([]);
  // The agent did look, and what it found was masked.
  expect(shown.out).toContain('***');
  expect(history.out).toContain(run);
});
