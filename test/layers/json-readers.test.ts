import { PROGRAM, sourcesIn } from './sources';

/**
 * JavaScript's own reader rounds numbers (`plan/text/json-text.ts`), so JSON from outside is read by `parseJson` or `parseUntrustedJson`.
 * The files below read JSON that Thermidor itself has written, or only the texts of an answer.
 */

const OWN = [
  // The reader itself, and the check that only finds the fault in a text.
  'plan/text/json-text.ts',
  'activities/stages/exec.ts',
  // Messages of services, from which only an event's type and pieces of text are used.
  'activities/adapters/model/response-stream.ts',
  // Values that were read before and written by `JSON.stringify`: copies, state, journals, answers to queries.
  'activities/stages/workflows.ts',
  'cli/lobster/token.ts',
  'cli/testing/bench.ts',
  'cli/testing/judge/journal.ts',
  'cli/testing/test-facts.ts',
  'compiler/language/json-schema/mapping.ts',
  'plan/run/call-seal.ts',
  'workflows/interpreter/inbound/inbound.ts',
  'kinds/increments/state.ts',
  // Files of Thermidor's own.
  'cli/checks/machine.ts',
  'cli/embedded/json-file.ts',
  'cli/version.ts',
  'records/stored-caller.ts',
];

test('JSON from outside is read by the reader that keeps numbers', () => {
  const readers = sourcesIn(PROGRAM).flatMap(([file, text]) => (/\bJSON\.parse\(/.test(text) ? [file] : []));
  expect(readers.sort()).toEqual([...OWN].sort());
});
