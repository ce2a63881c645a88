import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * In a fresh execution the code of a step runs again from its top, and the log has the results of its calls. Only the context asks whether
 * an earlier execution has begun something. The exceptions are listed in docs/internals/architecture.md, "The life of a step".
 */
const ROOT = join(__dirname, '../..');
const ROOMS = ['workflows/interpreter', 'kinds'];
const CONTEXT = 'workflows/interpreter/context/';

/** The forms that the question takes. */
const QUESTIONS = [
  // Whether this execution follows another.
  /\binput\.resume\b/g,
  // Whether a step, or the run's blocks, have begun.
  /\b(?:port|it)\.takeUpStep\(|\btakeUpBlocks\(it\)/g,
  // Whether the work of a try has begun.
  /\battempt\??\.work\.length\b/g,
  // Whether a question is open.
  /\.gate \?\?=/g,
  // Earlier results and decisions that are kept by hand.
  /\battempt\.\w+ \?\?=|\?\?= await/g,
];

const EXPECTED: Readonly<Record<string, string>> = {
  'workflows/interpreter/interpret.ts': 'what is no step’s own: begun, or taken up',
  'workflows/interpreter/take-up.ts': 'the same place, in detail',
  'workflows/interpreter/scheduling/scheduler.ts': 'steps that have begun continue',
  'workflows/interpreter/inbound/failed-step.ts': 'a step that an operator takes up goes the same way',
  'workflows/interpreter/steps/step.ts': 'what precedes the work of a try does so once',
};

function* filesIn(folder: string): Generator<string> {
  for (const entry of readdirSync(join(ROOT, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    // Rules are pure, so they have no code of a step.
    if (entry.isDirectory() && entry.name !== 'rules') yield* filesIn(path);
    else if (entry.isFile() && path.endsWith('.ts')) yield path;
  }
}

test('what an execution before has begun is asked for in three places next to the context', () => {
  const asking = ROOMS.flatMap((room) => [...filesIn(room)]).filter((path) => {
    if (path.startsWith(CONTEXT)) return false;
    const text = readFileSync(join(ROOT, path), 'utf8');
    return QUESTIONS.some((question) => text.search(question) >= 0);
  });
  expect(asking.sort()).toEqual(Object.keys(EXPECTED).sort());
});
