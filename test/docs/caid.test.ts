import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkSchemaHere } from '../../activities/schemas/schema-check';
import { ENGINEER_PROMPT, FINAL_REVIEW_SCHEMA } from '../../kinds/caid/prompts';
import { type Assignment, ENGINEER_REPORT_SCHEMA, RETURN_REASONS } from '../../kinds/caid/rules/assignment';
import { checkGraph } from '../../kinds/caid/rules/check-graph';
import { readTaskGraph, TASK_GRAPH_SCHEMA } from '../../kinds/caid/rules/task-graph';
import type { Json, JsonObject } from '../../plan/text/json';
import { asJson } from '../../records/stored-json';
import { scratchFolder } from '../support/scratch-folder';
import { blocksOf, readPage } from './page';

/** The JSON of a team that docs/caid.md prints, and its program that plays an engineer. */
const page = readPage('docs/caid.md');
const [graph = {}, assignment = {}, report = {}, review = {}] = blocksOf(page, 'json').map((text) => JSON.parse(text) as JsonObject);

test('a graph is one that a manager may answer with', () => {
  expect(checkSchemaHere('task-graph', asJson(TASK_GRAPH_SCHEMA), graph)).toBeUndefined();
  const read = readTaskGraph(graph);
  expect(read && checkGraph(read)).toEqual([]);
});

test('an assignment has the fields that an engineer gets, and says all reasons of a return', () => {
  // The compiler compares the list with the type: a field that is added there is missing here.
  const fields: Record<keyof Assignment, true> = {
    ...{ task_id: true, engineer_id: true, title: true, description: true, target_files: true, functions: true, dependencies: true },
    ...{ acceptance: true, restricted_files: true, base_commit: true, attempt: true, earlier_commit: true, returned: true },
    ...{ others: true, owned_by_others: true, default_test: true },
  };
  expect(Object.keys(fields)).toEqual(expect.arrayContaining(Object.keys(assignment)));
  const left = Object.keys(fields).filter((field) => !(field in assignment));
  for (const field of left) expect(page).toContain(`\`${field}\``);
  for (const reason of RETURN_REASONS) expect(page).toContain(`\`${reason}\``);
});

test('reports and reviews are such as are accepted', () => {
  expect(checkSchemaHere('engineer-report', asJson(ENGINEER_REPORT_SCHEMA), report)).toBeUndefined();
  expect(checkSchemaHere('final-review', asJson(FINAL_REVIEW_SCHEMA), review)).toBeUndefined();
});

describe('the program that plays an engineer: engineer.mjs', () => {
  const folder = scratchFolder();

  function play(command: string): Json {
    const [program = ''] = blocksOf(page, 'js');
    writeFileSync(join(folder, 'engineer.mjs'), program);
    const given = JSON.stringify({ ...assignment, acceptance: { command } }, null, 2);
    const input = ENGINEER_PROMPT.map((piece) => (typeof piece === 'string' ? piece : given)).join('');
    return JSON.parse(execFileSync(process.execPath, ['engineer.mjs'], { cwd: folder, input, encoding: 'utf8', stdio: 'pipe' })) as Json;
  }

  test.each([
    ['node src/parse.js', { task_id: 'parse', status: 'done', tests: { passed: 1, failed: 0 } }],
    ['exit 3', { task_id: 'parse', status: 'blocked', tests: { passed: 0, failed: 1 } }],
  ])('does its assignment, tests it by %s and reports', (command, expected) => {
    const said = play(command);
    expect(said).toMatchObject(expected);
    expect(checkSchemaHere('engineer-report', asJson(ENGINEER_REPORT_SCHEMA), said)).toBeUndefined();
    expect(readFileSync(join(folder, 'src/parse.js'), 'utf8')).toBe('export const title = "Parse amounts";\n');
  });
});
