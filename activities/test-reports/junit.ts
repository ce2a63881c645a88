import { addFailed, newTally, noteFailure, type ReadReport, type Tally } from './tally';
import { XmlProblem, xmlEvents } from './xml';

/**
 * JUnit's XML, as many programs write it. Each `<testcase>` counts, whatever suites say of themselves; where there is none, the numbers of the
 * outermost suites that have any do.
 */
export function readJunit(text: string): ReadReport {
  try {
    return readDocument(text);
  } catch (error) {
    if (error instanceof XmlProblem) return { problem: `the XML is broken: ${error.message}` };
    throw error;
  }
}

interface TestCase {
  name: string;
  outcome: 'passed' | 'failed' | 'skipped';
  message: string;
}

function readDocument(text: string): ReadReport {
  const tally = newTally();
  const stated = newTally();
  let isReport = false;
  let cases = 0;
  let depth = 0;
  /** How deep the suite is whose numbers count: those within it are in them. */
  let statedAt: number | undefined;
  let current: TestCase | undefined;
  let within = '';
  for (const event of xmlEvents(text)) {
    if (event.kind === 'text') {
      if (current && FAULTS.has(within) && current.message.length < MESSAGE_ROOM) current.message += event.text.slice(0, MESSAGE_ROOM);
      continue;
    }
    if (event.kind === 'close') {
      depth -= 1;
      within = '';
      if (depth === statedAt) statedAt = undefined;
      if (event.name !== 'testcase' || !current) continue;
      count(tally, current);
      current = undefined;
      continue;
    }
    const { name, attributes } = event;
    within = name;
    if (name === 'testsuites' || name === 'testsuite') {
      isReport = true;
      if (statedAt === undefined && addStated(stated, attributes)) statedAt = depth;
    } else if (name === 'testcase') {
      cases += 1;
      const [of, own] = [attributes.get('classname'), attributes.get('name')];
      current = { name: [of, own].filter(Boolean).join(' › '), outcome: 'passed', message: '' };
    } else if (current && FAULTS.has(name)) {
      current.outcome = 'failed';
      current.message += `${attributes.get('message') ?? ''}\n`;
    } else if (current && name === 'skipped' && current.outcome === 'passed') current.outcome = 'skipped';
    depth += 1;
  }
  if (!isReport) return { problem: 'it has no <testsuite>' };
  return { tally: cases > 0 ? tally : stated };
}

const FAULTS: ReadonlySet<string> = new Set(['failure', 'error']);
const MESSAGE_ROOM = 10_000;

function count(tally: Tally, { name, outcome, message }: TestCase): void {
  if (outcome === 'failed') addFailed(tally, name, message);
  else tally[outcome] += 1;
}

/** Adds what a suite says of itself; false where it says nothing. */
function addStated(stated: Tally, attributes: ReadonlyMap<string, string>): boolean {
  const [tests = Number.NaN, skipped = 0, ...faults] = ['tests', 'skipped', 'failures', 'errors'].map((name) =>
    wholeNumber(attributes.get(name)),
  );
  if (Number.isNaN(tests)) return false;
  const failed = faults.reduce<number>((sum, one) => sum + (one ?? 0), 0);
  stated.failed += failed;
  stated.skipped += skipped;
  stated.passed += Math.max(0, tests - skipped - failed);
  if (failed > 0) noteFailure(stated, attributes.get('name') ?? 'a suite', `${failed} of ${tests} tests failed`);
  return true;
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}
