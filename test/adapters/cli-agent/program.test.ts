import { startProgram } from '../../../activities/adapters/cli-agent/program';
import { GRACE_MS } from '../../../activities/adapters/processes/process-group';
import { blockThrough } from '../../support/fake-timers';
import { NEVER } from './asking';

afterEach(() => jest.restoreAllMocks());

test('what a program has printed before it ended is read whole, even if the worker had no turn for all of the grace time', async () => {
  const blocked = blockThrough(GRACE_MS);
  // More than may wait to be read, so that its end is still in the pipe when it ends.
  const bytes = 1_200_000;
  const program = startProgram({ argv: ['head', '-c', String(bytes), '/dev/zero'], env: {}, stdin: '' }, NEVER);
  await blocked;
  let read = 0;
  for await (const chunk of program.output()) read += chunk.byteLength;
  expect(read).toBe(bytes);
});
