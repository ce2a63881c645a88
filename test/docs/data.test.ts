import { REPORT_SCHEMA } from '../../activities/agent/prompt/answer-form';
import { checkSchemaHere } from '../../activities/schemas/schema-check';
import { jsonLines } from '../../bench/report';
import { HELLO } from '../../cli/init/hello-template';
import { type ApprovalRequest, okEnvelope } from '../../cli/lobster/envelope';
import type { Json } from '../../plan/text/json';
import { blocksOfPage, placeOf } from './block';
import { kindOf } from './block-kind';
import { commandsOf, complaintOf } from './command-line';
import { PAGES } from './page';
import { filesOf } from './printed-files';

/** JSON on the pages that is not a file of a pipeline: answers of programs, and settings of editors. */
const data = PAGES.flatMap(blocksOfPage).filter((block) => kindOf(block)?.kind === 'data');
const dataOf = (page: string): string => data.find((block) => block.page === page)?.text ?? '';

test('each is compared with what prints it', () => {
  // docs/models.md has the document of a custom program: agents.test.ts reads it. Those of docs/caid.md are read by caid.test.ts,
  // that of docs/steps/board.md by test/activities/member-report.test.ts.
  expect(data.map((block) => block.page)).toEqual([
    ...['docs/caid.md', 'docs/caid.md', 'docs/caid.md', 'docs/caid.md'],
    ...['docs/internals/benchmarks.md', 'docs/lobster.md', 'docs/models.md', 'docs/steps/board.md', 'docs/tools.md'],
  ]);
});

test('an answer of one agent to another has the form of a report', () => {
  const answers = data.filter(({ page, text }) => page === 'docs/tools.md' && text.includes('"findings"'));
  expect(answers.map(({ text }) => checkSchemaHere('report', REPORT_SCHEMA, JSON.parse(text) as Json))).toEqual([undefined]);
});

test('a figure has the keys and the order in which the bench prints them', () => {
  const figure = { bench: 'b', case: 'c', metric: 'm', ours: 1, reference: 1, unit: 's', ratio: 1, aim: null };
  expect(Object.keys(JSON.parse(dataOf('docs/internals/benchmarks.md')))).toEqual(Object.keys(JSON.parse(jsonLines([figure]))));
});

test('an envelope of Lobster is one that the command line makes', () => {
  const written = JSON.parse(dataOf('docs/lobster.md')) as { requiresApproval: ApprovalRequest };
  const made = okEnvelope({ status: 'needs_approval', output: [], requiresApproval: written.requiresApproval, requiresInput: null });
  expect(dataOf('docs/lobster.md')).toBe(`${JSON.stringify(made, null, 2)}\n`);
});

describe('an editor', () => {
  const file = (path: string): unknown => JSON.parse(filesOf('docs/editor.md').find((one) => one.path === path)?.text ?? 'null');

  it('reads the schema for the pipelines of a folder that init writes: .vscode/settings.json', () => {
    expect(file('.vscode/settings.json')).toEqual({ 'yaml.schemas': { './thermidor.schema.json': ['pipelines/*.yaml', 'teams/*.yaml'] } });
    expect(Object.keys(HELLO.files).some((path) => /^pipelines\/[^/]+\.yaml$/.test(path))).toBe(true);
  });

  it('calls a command that there is: .vscode/tasks.json', async () => {
    const { tasks } = file('.vscode/tasks.json') as { tasks: { command: string }[] };
    expect(tasks).toHaveLength(1);
    const [words = []] = commandsOf(tasks[0]?.command ?? '');
    expect(words[0]).toBe('thermidor');
    expect(await complaintOf(words.slice(1))).toBe('');
  });
});

test('data is where a reader sees what it is', () => {
  expect(data.filter(({ before }) => before.trim() === '').map(placeOf)).toEqual([]);
});
