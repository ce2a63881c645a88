import { pathsMeet } from '../text/paths-meet';
import { beginning } from '../text/shortened';

/** What a candidate changes in one file. */
export interface CandidateChange {
  path: string;
  change: 'added' | 'deleted' | 'modified' | 'type-changed';
  /** Absent: binary. */
  lines?: { added: number; deleted: number };
  /** For a test: the text of added and deleted lines. Absent: it was too long to check. */
  text?: { added: readonly string[]; deleted: readonly string[] };
}

/** How a candidate is judged, and what it should change. */
export interface JudgedBy {
  /** Commands that are run in the merged tree: files that they name count as tests. */
  commands: readonly string[];
  /** The files of its task. Absent: they are not known. */
  own?: readonly string[];
}

const TEST_FOLDERS: ReadonlySet<string> = new Set(['test', 'tests', '__tests__', 'spec', 'specs', 'testing', 'e2e']);
const TEST_NAME = /^test_.*\.py$|_test\.\w+$|[.-](?:test|spec)\.\w+$|^conftest\.py$|Tests?\.\w+$/;

export function isTestFile(path: string, { commands }: Pick<JudgedBy, 'commands'>): boolean {
  const parts = path.split('/');
  const name = parts.pop() ?? '';
  return TEST_NAME.test(name) || parts.some((part) => TEST_FOLDERS.has(part)) || commands.some((command) => command.includes(path));
}

/** Matches a line that tests something, or names what is tested. */
const CHECK = /\b(?:assert\w*|expect\w*|should|it|test\w*)\b|\bt\.(?:Error|Fatal|Run)|@Test\b/;
const SKIPS =
  /\b(?:it|test|describe|context)\.(?:skip|todo|only)\b|\bx(?:it|describe|test)\b|@(?:unittest\.|pytest\.mark\.)?(?:skip\w*|xfail|Ignore|Disabled)\b|\bt\.Skip|\bpytest\.skip|#\[ignore\]/;
const ALWAYS = /\bassert(?:\.ok|True|_true|!)?\s*\(?\s*(?:true|True|1)\b\s*\)?\s*[;,]?\s*$|\bexpect\(\s*true\s*\)/;

const SHOWN = 3;
const MOST_PATH = 120;

/**
 * What people and reviewers should know of a candidate, in a few lines: that it guts the tests that judge it, or that it changes files that
 * its task does not name. It is not refused for that: removing a test may be right.
 */
export function candidateRemarks(changes: readonly CandidateChange[], judged: JudgedBy): string[] {
  const tests = changes.filter(({ path }) => isTestFile(path, judged));
  const added = new Set(changes.filter(({ change }) => change === 'added').map(({ path }) => nameOf(path)));
  const removed = tests.filter(({ change, path }) => change === 'deleted' && !added.has(nameOf(path)));
  const kept = tests.filter(({ change }) => change === 'modified' || change === 'type-changed');
  const foreign = judged.own === undefined ? [] : changes.filter(({ change, path }) => change === 'added' && !owns(judged.own ?? [], path));
  return [
    ...remark('it removes tests', removed),
    ...remark('it takes tests or assertions out of', kept.filter(isShorter)),
    ...remark('it skips tests in', tests.filter(addsLine(SKIPS))),
    ...remark('it has assertions that hold whatever happens in', tests.filter(addsLine(ALWAYS))),
    ...remark('it brings files that its task does not name', foreign),
  ];
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function owns(own: readonly string[], path: string): boolean {
  return own.some((one) => pathsMeet(one, path));
}

/** Fewer lines that test something, or lines that only go. */
function isShorter({ lines, text }: CandidateChange): boolean {
  if (lines && lines.added === 0 && lines.deleted > 0) return true;
  return text !== undefined && checksIn(text.added) < checksIn(text.deleted);
}

function checksIn(lines: readonly string[]): number {
  return lines.filter((line) => CHECK.test(line)).length;
}

function addsLine(pattern: RegExp): (change: CandidateChange) => boolean {
  return ({ text }) => text?.added.some((line) => pattern.test(line)) ?? false;
}

function remark(what: string, changes: readonly CandidateChange[]): string[] {
  if (changes.length === 0) return [];
  const names = changes.slice(0, SHOWN).map(({ path }) => JSON.stringify(beginning(path, MOST_PATH)));
  const more = changes.length - names.length;
  return [`${what}: ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`];
}
