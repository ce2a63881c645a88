import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BUILT_IN_TOOLS, type BuiltInTool } from '../../plan/agents/tool-names';
import { COST_CATEGORIES, type NamedCategory } from '../../plan/brief/category';
import { BUILT_IN_ROLES, outOfScope } from '../../plan/brief/role';
import { runCategories } from '../../plan/brief/run-categories';
import { CATEGORIES, LAB, SITUATIONS } from '../brief/authorisation-table';
import { itemsOf, ROOT, readPage } from './page';

const PATH = 'docs/authorisation.md';

/** One program for each category that `run` finds by its words. */
const PROGRAMS: Partial<Record<NamedCategory, string>> = {
  git_push: 'git push',
  git_write: 'git commit',
  filesystem_delete: 'rm x',
  http_fetch: 'curl https://example.org',
};

function categoryRows(): string[] {
  return COST_CATEGORIES.map((category) => {
    const tools = BUILT_IN_TOOLS.flatMap(({ name, costs }: BuiltInTool) => (costs.includes(category) ? [`\`${name}\``] : []));
    const program = PROGRAMS[category];
    const having = [...tools, ...(program === undefined ? [] : [`\`run\` with \`${program}\``])];
    return `| \`${category}\` | ${having.join(', ') || 'what the settings say'} |`;
  });
}

function roleRows(): string[] {
  const name = (category: string): string => (category === LAB ? '`mcp_tool:SERVER:TOOL`' : `\`${category}\``);
  return Object.values(BUILT_IN_ROLES).map((role) => {
    const has = CATEGORIES.filter((category) => outOfScope(role, [category]).length === 0);
    const words = has.length === CATEGORIES.length ? 'every category' : has.map(name).join(', ') || 'none';
    return `| \`${role.id}\` | ${words} |`;
  });
}

function outcomeRows(): string[] {
  return Object.entries(SITUATIONS).map(([name, { outcome, again }]) => `| ${name} | ${outcome} | ${again} |`);
}

const PARTS: Readonly<Record<string, readonly string[]>> = {
  'cost categories': ['| category | what has it |', '|---|---|', ...categoryRows()],
  'role scopes': ['| role | may use at most |', '|---|---|', ...roleRows()],
  authorisation: ['| if | the call is | the same once more |', '|---|---|---|', ...outcomeRows()],
};

const made = (page: string): string =>
  page.replace(/<!-- table: (.+) -->\n[\s\S]*?<!-- end -->/g, (whole, name: string) => {
    const rows = PARTS[name];
    return rows ? `<!-- table: ${name} -->\n${rows.join('\n')}\n<!-- end -->` : whole;
  });

if (process.env['UPDATE'] === '1') writeFileSync(join(ROOT, PATH), made(readPage(PATH)));
const page = readPage(PATH);

describe('docs/authorisation.md', () => {
  it('has the tables of the code, each once', () => {
    expect(page).toBe(made(page));
    expect([...page.matchAll(/<!-- table: (.+) -->/g)].map(([, name]) => name)).toEqual(Object.keys(PARTS));
  });

  it('names for each category a program that has it', () => {
    for (const [category, program = ''] of Object.entries(PROGRAMS)) expect(runCategories(program.split(' '))).toContain(category);
  });

  it('says truly what the words of a program do not tell', () => {
    const [shells = '', scripts = ''] = itemsOf(page).filter((item) => /^\*\*(Shells|Scripts)/.test(item));
    const programs = [...`${shells}${scripts}`.matchAll(/`([^`]+)`/g)].flatMap(([, words = '']) => (words === 'shell_exec' ? [] : [words]));
    expect(programs.length).toBeGreaterThan(4);
    for (const program of programs) {
      const [, flag, script] = /^(\S+ -c) "(.+)"$/.exec(program) ?? [];
      const argv = flag === undefined || script === undefined ? program.split(' ') : [...flag.split(' '), script];
      expect([program, runCategories(argv)]).toEqual([program, ['shell_exec']]);
    }
    expect(runCategories(['git', 'publish'])).toContain('git_push');
  });
});
