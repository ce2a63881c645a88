import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkSchemaHere } from '../../activities/schemas/schema-check';
import { ENGINEER_PROMPT, FINAL_REVIEW_SCHEMA } from '../../kinds/caid/prompts';
import { type Assignment, ENGINEER_REPORT_SCHEMA, RETURN_REASONS } from '../../plan/caid/assignment';
import { checkGraph } from '../../plan/caid/check-graph';
import { readTaskGraph, TASK_GRAPH_SCHEMA } from '../../plan/caid/task-graph';
import { field, isJsonObject, type Json } from '../../plan/text/json';
import { scratchFolder, sh } from '../git/scene';
import { blocksOfPage } from './block';
import { kindOf } from './block-kind';
import { readPage } from './page';
import { filesOf } from './printed-files';

/** What manager and engineers say, as docs/caid.md shows it, and the program there that plays an engineer, as somebody would copy it. */
const PAGE = 'docs/caid.md';
const data = blocksOfPage(PAGE).filter((block) => kindOf(block)?.kind === 'data');
const [graph = null, assignment = null, report = null, review = null] = data.map(({ text }): Json => JSON.parse(text));

/** Every key that a schema knows, on whatever level. */
function keysIn(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(keysIn);
  if (!isJsonObject(schema)) return [];
  const { properties, ...rest }: Partial<Record<string, Json>> = schema;
  const own = isJsonObject(properties) ? Object.entries(properties).flatMap(([key, value]) => [key, ...keysIn(value)]) : [];
  return [...own, ...Object.values(rest).flatMap(keysIn)];
}

function keysOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(keysOf);
  return isJsonObject(value) ? Object.entries(value).flatMap(([key, one]) => [key, ...keysOf(one)]) : [];
}

describe('an example in docs/caid.md', () => {
  it.each([
    ['a graph', TASK_GRAPH_SCHEMA, graph],
    ['a report', ENGINEER_REPORT_SCHEMA, report],
    ['a review', FINAL_REVIEW_SCHEMA, review],
  ])('of %s fits its schema, and has every key that the schema knows', (name, schema, value) => {
    expect(checkSchemaHere(name, JSON.parse(JSON.stringify(schema)) as Json, value)).toBeUndefined();
    expect([...new Set(keysOf(value))].sort()).toEqual([...new Set(keysIn(schema))].sort());
  });

  it('of a graph is one that is taken as it is', () => {
    const read = readTaskGraph(graph);
    expect(read && checkGraph(read)).toEqual([]);
  });

  it('of an assignment has the fields that an engineer is given', () => {
    const fields: Record<keyof Assignment, true> = {
      ...{ task_id: true, engineer_id: true, title: true, description: true, target_files: true, functions: true, dependencies: true },
      ...{ acceptance: true, default_test: true, restricted_files: true, base_commit: true, attempt: true, earlier_commit: true },
      ...{ returned: true, others: true, owned_by_others: true },
    };
    const shown = Object.keys(isJsonObject(assignment) ? assignment : {});
    expect([...shown, 'owned_by_others'].sort()).toEqual(Object.keys(fields).sort());
    for (const word of [...Object.keys(fields), ...RETURN_REASONS]) expect(readPage(PAGE)).toMatch(new RegExp(`["\`.]${word}["\`]`));
  });
});

describe('the program in docs/caid.md that plays an engineer', () => {
  const [program] = filesOf(PAGE).filter(({ path }) => path === 'engineer.mjs');
  const text = program?.text ?? '';

  /** As its adapter starts it: the role and the prompt on standard input, in the worktree. */
  function played(more: Record<string, Json>): { folder: string; report: Json } {
    const folder = scratchFolder();
    sh(folder, 'init', '-q');
    const path = join(scratchFolder(), 'engineer.mjs');
    writeFileSync(path, text);
    const given = { ...(isJsonObject(assignment) ? assignment : {}), ...more };
    const prompt = ENGINEER_PROMPT.map((part) => (typeof part === 'string' ? part : JSON.stringify(given, null, 2))).join('');
    const { status, stdout, stderr } = spawnSync(process.execPath, [path], {
      cwd: folder,
      encoding: 'utf8',
      input: `You write code.\n\n${prompt}`,
    });
    expect([status, stderr]).toEqual([0, '']);
    const answer: Json = JSON.parse(stdout);
    return { folder, report: (isJsonObject(answer) && answer['result']) || null };
  }

  it('has twenty lines', () => {
    expect(text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('//')).length).toBeLessThanOrEqual(20);
  });

  it.each([
    ['by its acceptance command', { acceptance: { command: 'test -s src/parse.js' } }, 'test -s src/parse.js', 'done'],
    [
      'by the test of each merge where it has none',
      { acceptance: {}, default_test: 'test -s test/parse.test.js' },
      'test -s test/parse.test.js',
      'done',
    ],
    ['and says so where it is red', { acceptance: { command: 'exit 3' } }, 'exit 3', 'blocked'],
  ])('writes the files that it is asked for and verifies them %s', (_, more, command, status) => {
    const { folder, report: said } = played(more);
    expect(checkSchemaHere('report', JSON.parse(JSON.stringify(ENGINEER_REPORT_SCHEMA)) as Json, said)).toBeUndefined();
    expect(said).toMatchObject({ task_id: 'parse', status, tests: { command, failed: status === 'done' ? 0 : 1 } });
    expect(field(said, 'summary')).toContain('its tests fail in the merged tree');
    for (const file of ['src/parse.js', 'test/parse.test.js']) expect(existsSync(join(folder, file))).toBe(true);
    expect(readFileSync(join(folder, 'src/parse.js'), 'utf8')).toContain('Attempt 2.');
  });
});
