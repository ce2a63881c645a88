import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { beginning } from '../../plan/text/shortened';
import { addFailed, newTally, noteFailure, type ReadReport, type Tally } from './tally';

/**
 * JUnit's XML, as many programs write it. Each `<testcase>` counts, whatever suites claim; if there is none, the numbers of the outermost
 * suites that have any do.
 */
export function readJunit(text: string): ReadReport {
  try {
    return readDocument(text);
  } catch (error) {
    if (error instanceof BrokenXml) return { problem: `the XML is broken: ${error.message}` };
    throw error;
  }
}

class BrokenXml extends Error {}

/** Programs put their own output into reports, with the colours of a terminal. That is no reason to lose what failed. */
const FORGIVEN = /: (?:disallowed character|undefined entity|malformed character entity|the string "\]\]>" is disallowed in char data)\.$/;

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
  /** The depth of the suite whose numbers count: they include those within it. */
  let statedAt: number | undefined;
  let current: TestCase | undefined;
  let within = '';
  const parser = new SaxesParser();
  parser.on('error', ({ message }) => {
    if (!FORGIVEN.test(message)) throw new BrokenXml(message);
  });
  // With it every entity of the author's own.
  parser.on('doctype', () => {
    throw new BrokenXml('it has a document type, which is not read');
  });
  const takeText = (part: string): void => {
    if (current && FAULTS.has(within) && current.message.length < MESSAGE_ROOM) current.message += beginning(part, MESSAGE_ROOM);
  };
  parser.on('text', takeText);
  parser.on('cdata', takeText);
  parser.on('opentag', ({ name, attributes }) => {
    within = name;
    if (name === 'testsuites' || name === 'testsuite') {
      isReport = true;
      if (statedAt === undefined && addStated(stated, attributes)) statedAt = depth;
    } else if (name === 'testcase') {
      cases += 1;
      const own = [attributes['classname'], attributes['name']].filter(Boolean);
      current = { name: own.join(' › '), outcome: 'passed', message: '' };
    } else if (current && FAULTS.has(name)) {
      current.outcome = 'failed';
      current.message += `${attributes['message'] ?? ''}\n`;
    } else if (current && name === 'skipped' && current.outcome === 'passed') current.outcome = 'skipped';
    depth += 1;
  });
  parser.on('closetag', ({ name }) => {
    depth -= 1;
    within = '';
    if (depth === statedAt) statedAt = undefined;
    if (name !== 'testcase' || !current) return;
    count(tally, current);
    current = undefined;
  });
  parser.write(text).close();
  if (!isReport) return { problem: 'it has no <testsuite>' };
  return { tally: cases > 0 ? tally : stated };
}

const FAULTS: ReadonlySet<string> = new Set(['failure', 'error']);
const MESSAGE_ROOM = 10_000;

function count(tally: Tally, { name, outcome, message }: TestCase): void {
  if (outcome === 'failed') addFailed(tally, name, message);
  else tally[outcome] += 1;
}

type Attributes = SaxesTagPlain['attributes'];

/** Adds what a suite says of itself; false if it says nothing. */
function addStated(stated: Tally, attributes: Attributes): boolean {
  const [tests = Number.NaN, skipped = 0, ...faults] = ['tests', 'skipped', 'failures', 'errors'].map((name) =>
    wholeNumber(attributes[name]),
  );
  if (Number.isNaN(tests)) return false;
  const failed = faults.reduce<number>((sum, one) => sum + (one ?? 0), 0);
  stated.failed += failed;
  stated.skipped += skipped;
  stated.passed += Math.max(0, tests - skipped - failed);
  if (failed > 0) noteFailure(stated, attributes['name'] ?? 'a suite', `${failed} of ${tests} tests failed`);
  return true;
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}
