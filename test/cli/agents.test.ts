import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Options } from '../../cli/command';
import { execute as agents } from '../../cli/commands/agents';
import { EXIT } from '../../cli/exit';
import { scratchFolder, writeFiles } from '../support/scratch-folder';
import { fakeTerminal } from './fake-terminal';

/** The command's list of agents: files in, text or one JSON document out. */
let cwd = '';
const FILES: Readonly<Record<string, string>> = {
  'thermidor.yaml': 'models: {fast: {model: small, adapter: openai}, deep: large}\ndefault_adapter: anthropic\n',
  'pipelines/release.yaml': `name: release
owner: chief
steps:
  - {id: plan, action: self}
  - {id: notes, agent: writer, output: Notes.json}
  - {id: check, type: review, agent: editor, of: notes, critic: writer}
`,
  'pipelines/news.yaml': 'name: news\nsteps:\n  - {id: write, agent: writer}\n',
  'pipelines/agents/chief.yaml': 'title: Chief\nrole: Leads.\nmodel: fast\n',
  'pipelines/agents/writer.md': `---
name: writer
title: Writer
description: Writes notes.
tools: Read, Grep, mcp__docs
model: deep
schema: Notes.json
skills: style
limits: {turns: 5}
reports_to: chief
timeout: 10m
---
You write.
`,
  'pipelines/agents/editor.yml': 'role: Edits.\nadapter: cli\nbinary: codex\n',
  'pipelines/agents/spare.yaml': 'role: Waits.\n',
  'pipelines/skills/style/SKILL.md': '---\nname: style\ndescription: How we write.\n---\nBriefly.\n',
  'pipelines/skills/style/words/avoid.md': 'Avoid "very".\n',
  'pipelines/schemas/Notes.schema.json': '{"type": "object", "title": "Notes"}',
};

const write = (path: string, text: string) => writeFiles({ [path]: text }, cwd);

beforeEach(() => {
  cwd = scratchFolder();
  for (const [path, text] of Object.entries(FILES)) write(path, text);
});

async function call(args: string[], options: Record<string, unknown> = {}) {
  const terminal = fakeTerminal({ cwd, env: {} });
  const invocation = { args, options: new Options(options), terminal, catalogue: { commands: [], nouns: {} } };
  return { exit: await agents(invocation), ...terminal.written };
}

async function listed(args: string[] = []) {
  const { exit, out } = await call(args, { json: true });
  return { exit, ...JSON.parse(out) };
}

test('tells everything of an agent that its definition and the settings say', async () => {
  const { exit, ok, agents: found } = await listed();
  expect([exit, ok]).toEqual([EXIT.done, true]);
  expect(found.find(({ id }: { id: string }) => id === 'writer')).toEqual({
    id: 'writer',
    title: 'Writer',
    description: 'Writes notes.',
    file: 'pipelines/agents/writer.md',
    line: 1,
    adapter: 'anthropic',
    adapterFrom: 'default',
    model: 'large',
    modelAlias: 'deep',
    tools: ['read_file', 'grep', 'mcp__docs'],
    skills: [{ name: 'style', description: 'How we write.', files: ['SKILL.md', 'words/avoid.md'] }],
    limits: { turns: 5 },
    schema: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/), title: 'Notes' },
    reportsTo: 'chief',
    timeoutMs: 600_000,
    uses: [
      { pipeline: 'news', steps: ['write'] },
      { pipeline: 'release', steps: ['notes', 'check'] },
    ],
  });
});

test('a name for a model chooses the adapter if it has one', async () => {
  const { agents: found } = await listed();
  const how = Object.fromEntries(
    found.map((one: Record<string, string>) => [one['id'], [one['adapter'], one['adapterFrom'], one['model']]]),
  );
  expect(how).toMatchObject({ chief: ['openai', 'model', 'small'], editor: ['codex', 'agent', undefined] });
});

test('agents that nothing names are listed, and nothing is said to use them', async () => {
  const { agents: found } = await listed();
  expect(found.map(({ id, uses }: { id: string; uses: unknown[] }) => [id, uses.length])).toEqual([
    ['chief', 1],
    ['editor', 1],
    ['spare', 0],
    ['writer', 2],
  ]);
});

test('of one pipeline only its own uses count', async () => {
  const { agents: found } = await listed(['news']);
  expect(found.find(({ id }: { id: string }) => id === 'writer').uses).toEqual([{ pipeline: 'news', steps: ['write'] }]);
});

test('an agent of the escalation chain has work without a step of its own', async () => {
  write('pipelines/agents/chief.yaml', 'role: Leads.\nreports_to: boss\n');
  write('pipelines/agents/boss.yaml', 'role: Decides.\n');
  const { agents: found } = await listed(['release']);
  expect(found.find(({ id }: { id: string }) => id === 'boss').uses).toEqual([{ pipeline: 'release', escalation: true, steps: [] }]);
});

test('people read a block for each agent', async () => {
  const { exit, out, err } = await call([]);
  expect([exit, err]).toEqual([EXIT.done, '']);
  expect(out).toContain('writer  Writer  pipelines/agents/writer.md:1');
  expect(out).toMatch(/used by +news \(write\); release \(notes, check\)/);
});

test('mistakes end it with exit 2, and agents of sound pipelines are listed all the same', async () => {
  write('pipelines/broken.yaml', 'name: broken\nsteps:\n  - {id: a, agent: lost}\n');
  write('pipelines/agents/spare.md', 'Waits too.\n');
  const { exit, err } = await call([]);
  expect(exit).toBe(EXIT.usage);
  expect(err).toContain('step.unknown-agent');
  expect(err).toContain('agent.several-files');
  rmSync(join(cwd, 'pipelines/agents/spare.md'));
  const { exit: second, ok, agents: found, diagnostics } = await listed();
  expect([second, ok, found.length]).toEqual([EXIT.usage, false, 4]);
  expect(diagnostics.map(({ code }: { code: string }) => code)).toEqual(['step.unknown-agent']);
});

test('a tool, an adapter and a skill that are not there are reported with their places', async () => {
  write('pipelines/agents/spare.yaml', 'role: Waits.\ntools: [raed_file]\nadapter: anthropc\nskills: [stile]\n');
  const { exit, diagnostics } = await listed(['news']);
  expect(exit).toBe(EXIT.usage);
  expect(diagnostics.map((d: Record<string, unknown>) => `${d['file']} ${d['code']} ${d['line']}:${d['column']}`)).toEqual([
    'pipelines/agents/spare.yaml tool.unknown 2:9',
    'pipelines/agents/spare.yaml adapter.unknown 3:10',
    'pipelines/agents/spare.yaml skill.unknown 4:10',
  ]);
  for (const { hint } of diagnostics) expect(hint).toContain('did you mean');
});

test('tools that an application has of its own are known if the settings name them', async () => {
  write('pipelines/agents/spare.yaml', 'role: Pays.\ntools: [transfer]\n');
  expect((await listed(['news'])).diagnostics).toMatchObject([{ code: 'tool.unknown' }]);
  write('thermidor.yaml', 'tools: {own: [transfer]}\nmodels: {fast: small, deep: large}\n');
  expect((await listed(['news'])).diagnostics).toEqual([]);
});

test('if there is nothing to list, it says so', async () => {
  rmSync(join(cwd, 'pipelines'), { recursive: true });
  expect(await call([])).toMatchObject({ exit: EXIT.done, out: '', err: 'no pipelines; make a first one with: thermidor init\n' });
});
