import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * JavaScript's own reader rounds numbers (`plan/text/json-text.ts`): JSON from outside is read by `parseJson` or `parseUntrustedJson`. The files
 * below read what Thermidor itself has written, or of an answer its texts alone.
 */
const ROOT = join(__dirname, '../..');
const ROOMS = ['activities', 'channels', 'cli', 'client', 'compiler', 'kinds', 'plan', 'records', 'worker', 'workflows'];

const OWN = [
  // The reader itself, and what only finds out what is wrong with a text.
  'plan/text/json-text.ts',
  'activities/stages/exec.ts',
  // Texts of services: an event's type and pieces of a text.
  'activities/adapters/model/response-stream.ts',
  'channels/discord/send.ts',
  // Values that were read before, as `JSON.stringify` writes them: copies, state, journals, answers to queries.
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
  'records/directory/environment-files.ts',
  'records/directory/fleet-slot-files.ts',
];

test('JSON from outside is read by the reader that keeps numbers', () => {
  const readers = ROOMS.flatMap((room) =>
    readdirSync(join(ROOT, room), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(room, name)),
  ).filter((path) => /\bJSON\.parse\(/.test(readFileSync(join(ROOT, path), 'utf8')));
  expect(readers.sort()).toEqual([...OWN].sort());
});
