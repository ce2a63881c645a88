import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PRESETS } from '../../activities/adapters/cli-agent/presets';
import { templateEvents } from '../../activities/adapters/cli-agent/template-output';
import { Options } from '../../cli/command';
import { execute as agents } from '../../cli/commands/agents';
import { execute as validate } from '../../cli/commands/validate';
import { compilePipeline } from '../../compiler';
import { mappingRows } from '../../compiler/language/mappings';
import { adviceInsteadOf, usualNameOf } from '../../compiler/names/foreign-tools';
import { CLI_PRESETS } from '../../plan/agents/adapter';
import { BUILT_IN_TOOLS, type BuiltInTool, type ProgramTool } from '../../plan/agents/tool-names';
import { fakeTerminal } from '../cli/fake-terminal';
import { sourcesOf } from '../compiler/golden-case';
import { writeFiles } from '../support/scratch-folder';
import { blocksOf, itemsOf, ROOT, readPage } from './page';
import { filesOf } from './printed-files';
import { wrapProse } from './wrap';

/** The pages on agents: their files compile together as they are, their captures are what the commands print. */
const PATHS = ['docs/agents.md', 'docs/tools.md', 'docs/models.md'];

function toolRows(): string {
  const rows = BUILT_IN_TOOLS.map(
    ({ name, doc, ...more }: BuiltInTool) => `| \`${name}\` | ${doc} | ${more.listedOnly ? 'yes' : ''} | ${more.programs ? 'yes' : ''} |\n`,
  );
  return `<!-- tools -->\n| tool | what it does | must be listed | programs have it |\n|---|---|---|---|\n${rows.join('')}<!-- end -->`;
}

function programRows(): string {
  const rows = CLI_PRESETS.map((name) => {
    const { passEnv, tried } = PRESETS[name];
    return `- \`${name}\` (tested with ${tried.join(', ') || 'no version'}): ${passEnv.map((variable) => `\`${variable}\``).join(', ')}\n`;
  });
  return `<!-- programs -->\n${wrapProse(rows.join(''))}<!-- end -->`;
}

const withTables = (page: string): string =>
  page.replace(/<!-- tools -->\n[\s\S]*?<!-- end -->/, toolRows()).replace(/<!-- programs -->\n[\s\S]*?<!-- end -->/, programRows());

if (process.env['UPDATE'] === '1') for (const path of PATHS) writeFileSync(join(ROOT, path), withTables(readPage(path)));
const page = PATHS.map(readPage).join('\n');

/** The last version of each file that the pages print. */
const files = new Map(PATHS.flatMap(filesOf).map(({ path, text }) => [path, text]));
const pipeline = files.get('release.yaml') ?? '';

describe('its files', () => {
  const { plan, diagnostics } = compilePipeline('release.yaml', pipeline, sourcesOf(files), { everyAgent: true });

  it('compile together, with warnings for what means nothing in a coding agent’s file, and for a category of nobody', () => {
    expect(diagnostics.map(({ code, file }) => `${file} ${code}`)).toEqual([
      'agents/reviewer.md agent.passed-over',
      'agents/reviewer.md agent.passed-over',
      'agents/treasurer.yaml gate.no-approver',
    ]);
    expect(Object.keys(plan?.agents ?? {}).sort()).toEqual(['analyst', 'coder', 'editor', 'namer', 'reviewer', 'treasurer', 'writer']);
  });
});

describe('the document of a program of one’s own', () => {
  const text = blocksOf(page, 'json').find((one) => one.includes('cost_usd')) ?? '';
  const events = templateEvents(JSON.parse(text));

  it('is read as the page says', () => {
    expect(events.map(({ kind }) => kind)).toEqual(['total', 'said', 'end']);
    expect(events[0]).toMatchObject({ usage: { inputTokens: 1200, outputTokens: 80, costMicroUsd: 4000 } });
  });
});

describe('its tables and lists', () => {
  it('have every tool that there is, and what each program sees', () => {
    expect(page).toBe(withTables(page));
  });

  it('have our names for tools of others, in their order', () => {
    const theirs = ['Read', 'Write', 'Edit', 'MultiEdit', 'LS', 'Glob', 'Grep', 'Bash', 'WebFetch'];
    const ours = [...new Set(theirs.map(usualNameOf))].map((name) => `\`${name}\``).join(', ');
    for (const name of theirs) expect(page).toContain(`\`${name}\``);
    expect(itemsOf(page).filter((item) => item.endsWith(`: ${ours}.`))).toHaveLength(1);
    for (const name of ['WebSearch', 'Task', 'TodoWrite'])
      expect([page.includes(`\`${name}\``), adviceInsteadOf(name)]).toEqual([true, expect.any(String)]);
  });

  it('have flags that the programs are given', () => {
    const granted = (...tools: ProgramTool[]) => new Set(tools);
    const [claude, codex] = [PRESETS.claude.authority, PRESETS.codex.authority];
    const reading = granted('read_file', 'list_files', 'grep');
    expect(claude(granted()).flags.slice(0, 2)).toEqual(['--tools', '']);
    expect(claude(reading).flags.slice(0, 2)).toEqual(['--tools', 'Read,Glob,Grep']);
    expect(codex(granted()).flags.slice(0, 6).join(' ')).toBe('--sandbox read-only --disable shell_tool --disable view_image');
    const named = [
      [claude(granted('run')).flags, '--allowedTools Bash'],
      [claude(granted('fetch_url')).flags, '--allowedTools WebFetch'],
      [claude(granted('write_file')).flags, '--permission-mode acceptEdits'],
      [codex(granted('run')).flags, '--sandbox workspace-write'],
      [codex(reading).flags, '--sandbox read-only'],
      [codex(granted('fetch_url')).flags, 'web_search="live"'],
    ] as const;
    for (const [flags, words] of named) {
      expect(flags.join(' ')).toContain(words);
      expect(page).toContain(`\`${words}\``);
    }
  });

  it('have every limit and every program', () => {
    for (const { key } of mappingRows('agent-limits')) expect(page).toContain(`\`${key}\``);
    for (const name of CLI_PRESETS) expect(page).toContain(`\`${name}\``);
  });
});

describe('its captures', () => {
  let cwd = '';
  beforeEach(() => {
    cwd = writeFiles(Object.fromEntries(files));
  });

  const captured = (command: string): string[] => {
    const [, body = ''] = page.split(`\n$ ${command}\n`);
    return body.slice(0, body.indexOf('\n```')).split('\n');
  };
  async function printed(command: typeof agents): Promise<string> {
    const terminal = fakeTerminal({ cwd, env: {} });
    await command({ args: ['release.yaml'], options: new Options({}), terminal, catalogue: { commands: [], nouns: {} } });
    return terminal.written.out;
  }
  /** `…` stands for the rest of a line. */
  const shown = (line: string, printedLines: readonly string[]): boolean =>
    line.endsWith('…') ? printedLines.some((one) => one.startsWith(line.slice(0, -1))) : printedLines.includes(line);

  it('of a mistake is what validate prints', async () => {
    writeFileSync(join(cwd, 'agents/writer.yaml'), (files.get('agents/writer.yaml') ?? '').replace('read_file', 'raed_file'));
    const lines = (await printed(validate)).split('\n');
    const missing = captured('thermidor validate release.yaml').filter((line) => !shown(line, lines));
    expect([missing, missing.length > 0 ? lines : []]).toEqual([[], []]);
  });

  it('of the list is what agents prints', async () => {
    const lines = (await printed(agents)).split('\n');
    const missing = captured('thermidor agents release.yaml').filter((line) => !shown(line, lines));
    expect([missing, missing.length > 0 ? lines : []]).toEqual([[], []]);
  });
});
