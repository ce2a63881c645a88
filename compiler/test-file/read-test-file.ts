import type { Script } from '../../plan/agents/script';
import { defined } from '../../plan/defined';
import { type Json, setField } from '../../plan/text/json';
import type { Located, Report, SourceSpan, SourceText } from '../diagnostics/diagnostic';
import { jsonOf } from '../read/json';
import { type Entry, entryOf, type MappingNode, type SourceNode } from '../read/node';
import { readYaml } from '../read/yaml';
import { readReplyTable, type ScriptPlaces } from '../script/read-script';
import { checkKeys, requireKey } from '../shape/keys';
import { durationOf, mappingOf, sequenceOf, textOf, wrongType } from '../shape/values';
import { readExpectation } from './expectation';
import { readMerges } from './merge-stand-in';
import { readPersonAction } from './person-action';
import { readCommands } from './stand-in';
import { readTasks } from './task-stand-in';
import type { Expectation, MergeStandIn, PersonAction, StandIn, TaskStandIn } from './test-file';

/** Options of a test, or of the file for all of its tests; a test's own win. */
export interface TestOptions {
  script?: Located<string>;
  args: { name: string; value: Json; at: SourceSpan }[];
  replies: Script['replies'];
  commands: Record<string, StandIn[]>;
  merges: Record<string, MergeStandIn[]>;
  tasks: Record<string, TaskStandIn[]>;
  children: Record<string, GivenStandIns & { at: SourceSpan }>;
  people?: PersonAction[];
  startMs?: number;
  scheduledMs?: number;
  untilMs?: number;
}

/** What stands in for the world outside one pipeline. */
export type GivenStandIns = Pick<TestOptions, (typeof STAND_INS)[number]>;

export interface ReadTest {
  name: Located<string>;
  given: TestOptions;
  expect: Expectation;
  /** Steps that the test's expectations name. */
  named: Located<string>[];
}

export interface ReadTestFile {
  source: SourceText;
  pipeline?: Located<string>;
  given: TestOptions;
  tests: ReadTest[];
  places: ScriptPlaces;
}

const STAND_INS = ['script', 'replies', 'commands', 'merges', 'tasks'] as const;
const GIVEN_KEYS = [...STAND_INS, 'args', 'children', 'people', 'start', 'scheduled_at', 'until'] as const;
const FILE_KEYS = ['description', 'pipeline', ...GIVEN_KEYS, 'tests'];
const TEST_KEYS = ['name', 'description', ...GIVEN_KEYS, 'expect'];

/** Parses text to tests, none of them checked against the pipeline yet. Every mistake is reported; undefined if there is no tree. */
export function readTestFile(source: SourceText, report: Report): ReadTestFile | undefined {
  const root = readYaml(source, report, { begin: 'tests:' });
  if (!root) return undefined;
  const places: ScriptPlaces = new WeakMap();
  checkKeys(root, { what: 'a test file', known: FILE_KEYS }, report);
  requireKey(root, 'tests', 'a test file', report, 'add `tests:` with a list of tests');
  const [description, pipeline, tests] = ['description', 'pipeline', 'tests'].map((key) => entryOf(root, key));
  if (description) textOf(description, report);
  const named = pipeline && textOf(pipeline, report);
  const list = tests && sequenceOf(tests, report, 'a list of tests');
  if (list?.items.length === 0) report('shape.out-of-range', list.at, 'there is no test', 'add one: {name, expect}');
  const read = list?.items.flatMap((item) => readTest(item, places, report) ?? []) ?? [];
  reportTwins(read, report);
  return { source, ...defined({ pipeline: named }), given: readGiven(root, places, report), tests: read, places };
}

function readTest(node: SourceNode, places: ScriptPlaces, report: Report): ReadTest | undefined {
  if (node.kind !== 'mapping') return wrongType(node, 'tests', 'a list of tests such as {name, expect}', report);
  checkKeys(node, { what: 'a test', known: TEST_KEYS }, report);
  requireKey(node, 'name', 'a test', report);
  requireKey(node, 'expect', 'a test', report, 'add `expect: {status: completed}`');
  const [nameEntry, description, expectEntry] = ['name', 'description', 'expect'].map((key) => entryOf(node, key));
  const name = nameEntry && textOf(nameEntry, report);
  if (description) textOf(description, report);
  const expected = expectEntry && mappingOf(expectEntry, report, 'a mapping of what is expected');
  if (expected?.entries.length === 0) report('shape.out-of-range', expected.at, 'nothing is expected', 'add `status: completed`');
  const named: Located<string>[] = [];
  const expect = expected && readExpectation(expected, report, (value, at) => named.push({ value, at }));
  const given = readGiven(node, places, report);
  return name && expect ? { name, given, expect, named } : undefined;
}

function readGiven(node: MappingNode, places: ScriptPlaces, report: Report): TestOptions {
  const keys = ['args', 'children', 'people', 'start', 'scheduled_at', 'until'];
  const [args, children, people, start, scheduled, until] = keys.map((key) => entryOf(node, key));
  const given: TestOptions = {
    ...readStandIns(node, places, report),
    args: (args && mappingOf(args, report, 'a mapping of args'))?.entries.map(argOf) ?? [],
    children: (children && readChildren(children, places, report)) ?? {},
  };
  if (people) given.people = readPeople(people, report);
  const startMs = start && readMoment(start, report);
  if (startMs !== undefined) given.startMs = startMs;
  const scheduledMs = scheduled && readMoment(scheduled, report);
  if (scheduledMs !== undefined) given.scheduledMs = scheduledMs;
  const untilMs = until && durationOf(until, report);
  if (untilMs !== undefined) given.untilMs = untilMs;
  return given;
}

function argOf({ key, keyAt, value }: Entry): TestOptions['args'][number] {
  return { name: key, value: jsonOf(value), at: keyAt };
}

function readStandIns(node: MappingNode, places: ScriptPlaces, report: Report): GivenStandIns {
  const [script, replies, commands, merges, tasks] = STAND_INS.map((key) => entryOf(node, key));
  const name = script && textOf(script, report);
  return {
    ...defined({ script: name }),
    replies: replies ? readReplyTable(replies, places, report) : {},
    commands: commands ? readCommands(commands, places, report) : {},
    merges: merges ? readMerges(merges, places, report) : {},
    tasks: tasks ? readTasks(tasks, places, report) : {},
  };
}

function readChildren(entry: Entry, places: ScriptPlaces, report: Report): TestOptions['children'] {
  const children: TestOptions['children'] = {};
  for (const child of mappingOf(entry, report, 'a mapping by the child pipeline’s name')?.entries ?? []) {
    const node = mappingOf(child, report, `a mapping of ${STAND_INS.join(', ')}`);
    if (!node) continue;
    checkKeys(node, { what: 'a child pipeline', known: STAND_INS }, report);
    setField(children, child.key, { ...readStandIns(node, places, report), at: child.keyAt });
  }
  return children;
}

function readPeople(entry: Entry, report: Report): PersonAction[] {
  if (entry.value.kind === 'scalar' && entry.value.value === null) return [];
  return sequenceOf(entry, report, 'a list of what people do')?.items.flatMap((item) => readPersonAction(item, report) ?? []) ?? [];
}

const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2})$/;

function readMoment(entry: Entry, report: Report): number | undefined {
  const text = textOf(entry, report);
  if (!text) return undefined;
  const ms = MOMENT.test(text.value) ? Date.parse(text.value) : Number.NaN;
  if (!Number.isNaN(ms)) return ms;
  return wrongType(entry.value, entry.key, 'a moment such as 2026-04-10T07:30:00Z', report);
}

function reportTwins(tests: readonly ReadTest[], report: Report): void {
  const names = new Set<string>();
  for (const { name } of tests) {
    if (names.has(name.value)) report('test.duplicate-name', name.at, `two tests are named "${name.value}"`, 'give each a name of its own');
    names.add(name.value);
  }
}
