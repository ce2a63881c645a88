import { type Compiled, compilePipeline, type Installation, NO_INSTALLATION } from '../../compiler';
import type { AgentDefinition } from '../../plan/plan';
import { sourcesOf } from './golden-case';

/** The parts of an agent's file that reach a run: its frozen definition, and what the agent's steps take from it. */
const STEPS = 'name: p\nsteps:\n  - {id: work, agent: worker}\n';

function compile(files: Readonly<Record<string, string>>, pipeline = STEPS, installation: Installation = NO_INSTALLATION): Compiled {
  const compiled = compilePipeline('pipeline.yaml', pipeline, sourcesOf(new Map(Object.entries(files))), { installation });
  if (!compiled.plan) throw new Error(compiled.diagnostics.map(({ code, message }) => `${code} ${message}`).join('\n'));
  return compiled;
}

function contentOf({ blobs }: Compiled, digest: string | undefined): string {
  return blobs.get(digest ?? '')?.content ?? '';
}

function definitionOf(compiled: Compiled, id = 'worker'): AgentDefinition {
  return JSON.parse(contentOf(compiled, compiled.plan.agents?.[id]?.definition));
}

const places = (files: Readonly<Record<string, string>>, pipeline = STEPS, installation?: Installation): string[] =>
  compilePipeline(
    'pipeline.yaml',
    pipeline,
    sourcesOf(new Map(Object.entries(files))),
    installation ? { installation } : {},
  ).diagnostics.map(({ file, code, line, column }) => `${file} ${code} ${line}:${column}`);

it('an agent’s file that exists and cannot be read is reported as unreadable, not as a typing mistake', () => {
  const unread = { read: () => undefined, list: (folder: string) => (folder === 'agents' ? ['worker.md'] : []) };
  const { diagnostics } = compilePipeline('pipeline.yaml', STEPS, unread, {});
  expect(diagnostics).toMatchObject([{ code: 'step.unknown-agent', hint: expect.stringContaining('agents/worker.md exists') }]);
});

it('an empty agent’s file is reported with an example of how one begins', () => {
  const { diagnostics } = compilePipeline('pipeline.yaml', STEPS, sourcesOf(new Map([['agents/worker.yaml', '']])), {});
  expect(diagnostics).toMatchObject([{ code: 'yaml.not-a-mapping', hint: expect.stringContaining('`role: ') }]);
});

describe('an agent in Markdown', () => {
  const theirs = `---
name: worker
description: Use it to review code.
tools: Read, LS, Glob, MultiEdit, Bash, WebFetch, WebSearch, mcp__docs__*
disallowedTools: Bash
model: inherit
maxTurns: 12
color: blue
---

You review code.

---
Be brief.
`;

  it('is read as a coding agent writes it: tools by our names, without those it denies, and its turns', () => {
    expect(definitionOf(compile({ 'agents/worker.md': theirs }))).toEqual({
      id: 'worker',
      description: 'Use it to review code.',
      role: 'You review code.\n\n---\nBe brief.',
      tools: ['read_file', 'list_files', 'edit_file', 'fetch_url', 'mcp__docs'],
      limits: { turns: 12 },
    });
  });

  it('may be instructions and nothing else', () => {
    expect(definitionOf(compile({ 'agents/worker.md': 'You work.\n' }))).toEqual({ id: 'worker', role: 'You work.' });
  });

  it.each(['\n\n', '<!-- agents/worker.md -->\n', '\uFEFF<!-- two\nlines -->\r\n\r\n'])(
    'may begin with %j: its keys are read',
    (before) => {
      expect(definitionOf(compile({ 'agents/worker.md': before + theirs }))).toEqual(definitionOf(compile({ 'agents/worker.md': theirs })));
      const wrong = `${before}---\nrole: x\nlimits: { turns: 0 }\n---\n`;
      const { diagnostics } = compilePipeline('pipeline.yaml', STEPS, sourcesOf(new Map([['agents/worker.md', wrong]])), {});
      const line = before.split('\n').length + 2;
      expect(diagnostics).toMatchObject([{ code: 'shape.out-of-range', file: 'agents/worker.md', line }]);
    },
  );

  it('may have a rule across the page', () => {
    expect(definitionOf(compile({ 'agents/worker.md': '\n---\nYou work.\n' }))).toEqual({ id: 'worker', role: '---\nYou work.' });
  });

  it.each(['\n', '\r\n'])('may have descriptions with colons and no quotes, as coding agents write them, with line ends %j', (end) => {
    const description = 'Use it to review. Examples: <example>Context: a change. user: "Look at it" </example>';
    const head = ['---', 'name: worker', `description: ${description}`, 'tools: Read', '---', 'You review.'];
    expect(definitionOf(compile({ 'agents/worker.md': head.join(end) }))).toEqual({
      ...{ id: 'worker', description, role: 'You review.', tools: ['read_file'] },
    });
    const wrong = [...head.slice(0, 3), 'tools: Raed', `description: a: b`, ...head.slice(4)];
    const files = sourcesOf(new Map([['agents/worker.md', wrong.join(end)]]));
    const { diagnostics } = compilePipeline('pipeline.yaml', STEPS, files, {});
    expect(diagnostics).toMatchObject([{ code: 'yaml.duplicate-key', file: 'agents/worker.md', line: 5, column: 1, endColumn: 12 }]);
  });

  it('keeps names that an application has for tools of its own', () => {
    const installation = { ...NO_INSTALLATION, tools: ['Read', 'send'] };
    const files = { 'agents/worker.md': '---\ntools: Read, Grep, send\n---\nYou work.\n' };
    expect(definitionOf(compile(files, STEPS, installation)).tools).toEqual(['Read', 'grep', 'send']);
  });

  it.each(['\n', '\r\n'])('has its mistakes where they are in the file, with line ends %j', (end) => {
    const lines = [
      '---',
      'title: Worker',
      'tools:',
      '  - read_file',
      '  - "two words"',
      'rol: x',
      'limits: {turns: none}',
      '---',
      'Works.',
    ];
    expect(places({ 'agents/worker.md': `\ufeff${lines.join(end)}` })).toEqual([
      'agents/worker.md tool.unknown 5:6',
      'agents/worker.md shape.unknown-key 6:1',
      'agents/worker.md shape.wrong-type 7:17',
    ]);
  });

  it('has mistakes of YAML where they are, and none of the text below', () => {
    const text = '---\ntitle: Worker\ndescription: [a\n---\nUse: it: so\n\t- x\n';
    expect(places({ 'agents/worker.md': text })).toEqual([expect.stringMatching(/^agents\/worker\.md yaml\.syntax [34]:/)]);
  });
});

describe('what an agent gives its steps', () => {
  const agent = (more: string) => ({ 'agents/worker.yaml': `role: Works.\n${more}` });
  const outputs = (compiled: Compiled) =>
    compiled.plan.block.steps.map((step) =>
      'output' in step ? [step.output?.name, contentOf(compiled, step.output?.schema)] : [undefined, ''],
    );
  const OF_AGENT = '{"title":"of the agent","type":"object"}';

  it('is its schema, if the step and its output have none and it is no plain text', () => {
    const pipeline = `name: p
schemas: {Listed.json: {title: listed}, Agent.json: {type: object, title: of the agent}}
steps:
  - {id: bare, agent: worker}
  - {id: named, agent: worker, output: Other.json}
  - {id: listed, agent: worker, output: Listed.json}
  - {id: own, agent: worker, schema: {title: own}}
  - {id: text, agent: worker, output: Text.md}
`;
    const compiled = compile(agent('schema: Agent.json\n'), pipeline);
    expect(outputs(compiled)).toEqual([
      ['bare.json', OF_AGENT],
      ['Other.json', OF_AGENT],
      ['Listed.json', '{"title":"listed"}'],
      ['own.json', '{"title":"own"}'],
      ['Text.md', ''],
    ]);
    expect(contentOf(compiled, definitionOf(compiled).schema)).toBe(OF_AGENT);
  });

  it.each(['schemas/Agent.schema.json', 'Agent.json', '{type: object, title: of the agent}'])('may be written as %s', (written) => {
    const files = { ...agent(`schema: ${written}\n`), 'schemas/Agent.schema.json': OF_AGENT };
    expect(outputs(compile(files))).toEqual([['work.json', OF_AGENT]]);
  });

  it('is known to expressions', () => {
    const pipeline = 'name: p\nsteps:\n  - {id: work, agent: worker}\n  - {id: then, run: "echo", when: work.titel != null}\n';
    const schema = 'schema: {type: object, properties: {title: {type: string}}, additionalProperties: false}\n';
    expect(places(agent(schema), pipeline)).toEqual(['pipeline.yaml expression.unknown-field 4:40']);
  });

  it('is the folder of the file, if the step has none of its own', () => {
    const pipeline = `name: p\ncwd: ./all\nsteps:\n  - {id: work, agent: worker}\n  - {id: there, agent: worker, cwd: "./\${work.place}"}\n`;
    expect(compile(agent(''), pipeline).plan.block.steps).toMatchObject([
      { cwd: ['./all'] },
      { cwd: ['./', { kind: 'output', step: 'work', path: ['place'] }], inputs: ['work'] },
    ]);
  });
});

describe('skills', () => {
  const HEAD = '---\nname: chart\ndescription: Draws charts.\nlicense: MIT\n---\n';
  const files = {
    'agents/worker.yaml': 'role: Works.\nskills: [chart, chart]\n',
    'skills/chart/SKILL.md': `${HEAD}Draw. See ways/bars.md.\n`,
    'skills/chart/ways/bars.md': 'Bars stand.\n',
    'skills/other/SKILL.md': 'not read',
  };

  it('are frozen as they are, file by file', () => {
    const compiled = compile(files);
    const [skill, ...others] = definitionOf(compiled).skills ?? [];
    expect(others).toEqual([]);
    expect(skill).toMatchObject({ name: 'chart', description: 'Draws charts.' });
    const texts = Object.entries(skill?.files ?? {}).map(([path, digest]) => [path, contentOf(compiled, digest)]);
    expect(Object.fromEntries(texts)).toEqual({ 'SKILL.md': `${HEAD}Draw. See ways/bars.md.\n`, 'ways/bars.md': 'Bars stand.\n' });
  });

  it('change the plan when a file of theirs changes', () => {
    const other = { ...files, 'skills/chart/ways/bars.md': 'Bars lie.\n' };
    expect(compile(other).planSha256).not.toBe(compile(files).planSha256);
  });
});

describe('names that the settings decide about', () => {
  const files = { 'agents/worker.yaml': 'role: Works.\nadapter: mine\ntools: [send, mcp__bank__pay, grep]\n' };

  it('are all kept if nobody knows the settings', () => {
    expect(places(files)).toEqual([]);
  });

  it('are looked up if somebody does', () => {
    const known = { ...NO_INSTALLATION, adapters: ['openai'], tools: [], toolServers: ['files'] };
    expect(places(files, STEPS, known).map((place) => place.split(' ')[1])).toEqual(['adapter.unknown', 'tool.unknown', 'tool.unknown']);
    const all = { ...NO_INSTALLATION, adapters: ['mine'], tools: ['send'], toolServers: ['bank'] };
    expect(places(files, STEPS, all)).toEqual([]);
  });
});

it('an agent that nothing names is in the plan if every agent is asked for', () => {
  const sources = sourcesOf(new Map(Object.entries({ 'agents/worker.yaml': 'role: Works.\n', 'agents/spare.md': 'Waits.\n' })));
  const every = compilePipeline('pipeline.yaml', STEPS, sources, { everyAgent: true });
  expect(Object.keys(every.plan?.agents ?? {})).toEqual(['worker', 'spare']);
  expect(Object.keys(compilePipeline('pipeline.yaml', STEPS, sources).plan?.agents ?? {})).toEqual(['worker']);
});
