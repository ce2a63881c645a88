import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JournalEntry } from '../../plan/run/journal';
import type { RunView } from '../../plan/run/status';
import { type Block, blocksOfPage, placeOf } from '../docs/block';
import { commandsOf } from '../docs/command-line';
import { quietPort } from '../support/quiet-port';
import { inSweep } from '../support/sweep';
import type { Program } from './support/program';
import type { Finished } from './support/running';
import { journal, step, untilStatus } from './support/runs';
import { Scratch, SET_UP_MS } from './support/scratch';
import { until } from './support/until';

/**
 * docs/tutorial.md, block by block, in an empty folder and on a real server. What differs from the page: the slow step waits for a
 * file in place of 20 seconds, a local server stands in for Discord, and nobody sits at the terminal.
 */
const blocks = blocksOfPage('docs/tutorial.md');
const HELLO = 'pipelines/hello.yaml';
let taken = 0;

let parent: Scratch;
let scratch: Scratch;
let hello = '';
const exported: NodeJS.ProcessEnv = {};

function next(language: string): Block {
  const block = blocks[taken++];
  if (block?.language !== language) throw new Error(`${block ? placeOf(block) : 'the end'} is no ${language}`);
  return block;
}

/** Writes the file that a block is; its path is in its first line, or in the sentence before. */
function write(language: 'yaml' | 'json', path: string): void {
  const { text, before } = next(language);
  expect(language === 'yaml' ? text.split('\n')[0] : before).toContain(path);
  scratch.write(path, text);
}

/** The steps of a block that is a part of hello.yaml, as they stand there, by id. */
function part(): [id: string, text: string][] {
  const { text } = next('yaml');
  expect(text).toContain(`# a part of ${HELLO}\n`);
  const steps = text.slice(text.indexOf('\n') + 1).split(/^(?= {2}- id: )/m);
  return steps.map((one) => [/- id: (\w+)/.exec(one)?.[1] ?? '', `${one.trimEnd()}\n`]);
}

function edit(change: (text: string) => string): void {
  hello = change(hello);
  scratch.write(HELLO, hello);
}

const replaced = (text: string, id: string, by: string): string => text.replace(new RegExp(`^  - id: ${id}\\n(?:    .*\\n)*`, 'm'), by);
const after = (text: string, id: string, added: string): string =>
  text.replace(new RegExp(`^  - id: ${id}\\n(?:    .*\\n)*`, 'm'), (found) => `${found}\n${added}`);

/** The lines of a block that is typed. */
function lines(...programs: string[]): string[][] {
  const commands = commandsOf(next('sh').text);
  expect(commands.map(([program]) => program)).toEqual(programs);
  return commands;
}

/** Runs the next line, which has to be a command of ours with this exit code, and returns its output. */
async function run(line: string[] | undefined, code = 0, values: Readonly<Record<string, string>> = {}): Promise<Finished> {
  const [, ...words] = (line ?? []).map((word) => values[word] ?? word);
  const finished = await scratch.askWith(exported, ...words);
  expect(finished).toMatchObject({ code });
  return finished;
}

const state = (id: string, wanted: RunView['state']): Promise<RunView> => untilStatus(scratch, id, wanted, (view) => view.state === wanted);

/** Starts `thermidor up`, and gives its server's address. */
async function up(line: string[] | undefined, ...more: string[]): Promise<{ program: Program; address: string }> {
  const program = scratch.thermidorWith(exported, ...(line ?? []).slice(1), ...more);
  await program.untilLine(/Ctrl-C stops/);
  return { program, address: /^server +(\S+)$/m.exec(program.out)?.[1] ?? '' };
}

beforeAll(async () => {
  parent = await Scratch.make();
}, SET_UP_MS);
afterAll(async () => {
  await scratch?.close();
  await parent.close();
});

test('sections 1 and 2: the command is there, a new folder runs and passes its test, two mistakes are both reported', async () => {
  lines('npm', 'npm');
  scratch = parent;
  await run(lines('npm', 'thermidor')[1]);
  const [init, , validate, first] = lines('thermidor', 'cd', 'thermidor', 'thermidor');
  await run(init);
  scratch = parent.within('my-team');
  await run(validate);
  expect((await run(first)).out).toContain('✓ send');
  expect(await scratch.ask('test')).toMatchObject({ code: 0 });

  hello = readFileSync(scratch.path(HELLO), 'utf8');
  const right = hello;
  for (const [id, text] of part()) edit((before) => replaced(before, id, text));
  const { out } = await run(lines('thermidor')[0], 2);
  expect(out.match(/^pipelines\/hello\.yaml:\d+:\d+ {2}\S+/gm)).toHaveLength(2);
  expect(out).toMatch(/did you mean "writer"\?[\s\S]*"text"/);
  edit(() => right);
});

inSweep.test('section 3: the review asks for one revision, and the run waits in the inbox', async () => {
  write('yaml', 'pipelines/agents/editor.yaml');
  write('json', 'pipelines/schemas/Review_Report.schema.json');
  for (const [, text] of part()) edit((before) => after(before, 'greet', text));
  write('yaml', 'pipelines/scripts/hello.yaml');
  const { out } = await run(lines('thermidor')[0], 3);
  expect(out).toMatch(/↺ round 1/);
  const id = /^hello-\d{8}-\w{6}/m.exec(out)?.[0] ?? '';
  expect(await scratch.ask('test')).toMatchObject({ code: 1 });
  const [inbox, approve] = lines('thermidor', 'thermidor');
  expect((await run(inbox)).out).toContain(id);
  await run(approve, 0, { RUN: id.slice(-6) });
  expect(step(await state(id, 'completed'), 'greet')).toMatchObject({ round: 2 });
});

inSweep.test('section 4: what was recorded before kill -9 is not done again', async () => {
  for (const [, text] of part()) {
    expect(text).toContain('sleep 20');
    edit((before) => `${before}\n${text.replace('sleep 20', 'echo x >> begun && while [ ! -e go ]; do sleep 0.05; done')}`);
  }
  const { program } = await up(lines('thermidor')[0]);
  const [start, approve, status] = lines('thermidor', 'thermidor', 'thermidor');
  await run(start);
  await state('killed', 'waiting');
  await run(approve);
  await until('the slow step is running', () => scratch.lines('begun').length === 1);
  await until('status shows the slow step at work', async () => (await run(status)).out.includes('▸ slow'));
  expect(lines('kill')).toEqual([['kill', '-9', 'PID']]);
  process.kill(Number(/^process +(\d+)$/m.exec(program.out)?.[1]), 'SIGKILL');
  await program.finished;
  const [list, watch] = lines('thermidor', 'thermidor');
  expect((await run(list)).out).toContain('killed');
  const watching = scratch.follow(...(watch ?? []).slice(1));
  await until('it is running again', () => scratch.lines('begun').length === 2);
  scratch.write('go', '');
  await watching.endsWith(0);
  const done = (await journal(scratch, 'killed')).filter(({ kind }) => kind === 'step');
  const ended = done.flatMap((entry) => (entry.kind === 'step' && entry.state === 'done' ? [entry.step] : []));
  expect(ended.sort()).toEqual(['approve', 'greet', 'greet#2', 'review#2', 'send', 'slow']);
});

inSweep.test('section 5: the plain Temporal CLI, and a schedule', async () => {
  const { program, address } = await up(lines('thermidor')[0]);
  const [start, metadata, signal, query] = lines('temporal', 'temporal', 'temporal', 'temporal');
  const temporal = async (line: string[] | undefined): Promise<Finished> => {
    const finished = await scratch.temporal(...(line ?? []).slice(1), '--address', address);
    expect(finished).toMatchObject({ code: 0 });
    return finished;
  };
  await temporal(start);
  await state('first', 'waiting');
  expect((await temporal(metadata)).out).toMatch(/temporal workflow signal .*--name approve/);
  await temporal(signal);
  await state('first', 'completed');
  expect((await temporal(query)).out).toContain('completed');

  const trigger = next('yaml').text;
  edit((before) => before.replace(/^owner:/m, `${trigger}owner:`));
  const [apply, list, fire] = lines('thermidor', 'thermidor', 'thermidor');
  await run(apply);
  expect((await run(list)).out).toContain('hello');
  await run(fire);
  program.signal('SIGINT');
  await program.endsWith(0);
});

inSweep.test('section 6: a yes from the link of a message is proven, and a name is not', async () => {
  const messages: string[] = [];
  const discord = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      messages.push(body);
      response.setHeader('content-type', 'application/json').end('{"id": "1"}');
    });
  }).listen(0, '127.0.0.1');
  await once(discord, 'listening');
  try {
    for (const [, word = ''] of lines('export', 'export')) {
      const [name = '', value = ''] = word.split('=');
      exported[name] =
        name === 'DISCORD_APPROVALS' ? `http://127.0.0.1:${(discord.address() as AddressInfo).port}/api/webhooks/1/x` : value;
    }
    write('yaml', 'thermidor.yaml');
    for (const [id, text] of part()) edit((before) => replaced(before, id, text));
    const [doctor, upLine] = lines('thermidor', 'thermidor');
    const told = await scratch.askWith(exported, ...(doctor ?? []).slice(1));
    for (const word of ['people', 'channels', 'callbacks']) expect(told.out).toContain(word);
    const port = await quietPort();
    const { program } = await up(upLine, '--callbacks-port', String(port));
    expect(program.out).toMatch(/^callbacks .*0\.0\.0\.0/m);

    const [start, approve] = lines('thermidor', 'thermidor');
    await run(start);
    await state('phone', 'waiting');
    expect((await run(approve, 1)).err).toContain('only proven identities');
    // The run that the schedule started may begin only now, and ask at the same place.
    const ofPhone = () => messages.find((body) => body.includes('run phone')) ?? '';
    const key = await until('the message came', () => /192\.168\.1\.20:7244(\/g\/[\w-]+)/.exec(ofPhone())?.[1]);
    const link = `http://127.0.0.1:${port}${key}`;
    const form = new URLSearchParams({ by: 'me', token: exported['MY_TOKEN'] ?? '', choice: 'approve', comment: '' });
    expect(await (await fetch(link, { method: 'POST', body: form })).text()).toContain('approve: approve by me');
    await state('phone', 'completed');
    const [status, decisions] = lines('thermidor', 'thermidor');
    await run(status);
    const { entries } = JSON.parse((await run(decisions)).out) as { entries: JournalEntry[] };
    expect(entries).toMatchObject([{ kind: 'decision', decision: { identity: 'proven', channel: 'link' } }]);
    expect((await fetch(link)).status).toBe(410);
    program.signal('SIGINT');
    await program.endsWith(0);
  } finally {
    discord.close();
  }
});

inSweep.test('section 7: without a key nothing starts, and costs are reported', async () => {
  const [, live, cost] = lines('export', 'thermidor', 'thermidor');
  expect((await run(live, 4)).err).toContain('ANTHROPIC_API_KEY');
  await run(cost);
  expect(blocks.slice(taken)).toEqual([]);
});
