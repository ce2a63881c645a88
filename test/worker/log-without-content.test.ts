import { ApplicationFailure } from '@temporalio/common';
import { ConsoleChannel } from '../../channels/console/send';
import { openRecords } from '../../records/open-records';
import { logWithoutContent } from '../../worker/log-without-content';
import { createToolbox } from '../../worker/toolbox';
import { scratchFolder } from '../support/scratch-folder';

/** What the log of a worker has that seals what runs work with. */
function lines(): { log: Parameters<typeof logWithoutContent>[0]; said: () => string } {
  const all: unknown[] = [];
  return { log: (...line) => all.push(line), said: () => JSON.stringify(all) };
}

test('of an error it has the code and where it was thrown, and not what it quotes', () => {
  const { log, said } = lines();
  const cause = new Error('caused by a zebrafish');
  const error = ApplicationFailure.create({ message: 'exit code 1: a zebrafish\n    at noon:12', type: 'command.failed', cause });
  logWithoutContent(log)('warn', 'Activity failed', { sdkComponent: 'worker', attempt: 2, error });
  expect(said()).toContain(
    '["warn","Activity failed",{"sdkComponent":"worker","attempt":2,"error":"ApplicationFailure command.failed\\n    at ',
  );
  expect(said()).not.toContain('zebrafish');
  expect(said()).not.toContain('noon');
});

test('which key is missing is said', () => {
  const { log, said } = lines();
  const message = 'a payload is sealed with the key "k1", which encryption.keys does not have';
  logWithoutContent(log)('warn', 'Activity failed', { error: Object.assign(new Error(message), { name: 'encryption.key-missing' }) });
  expect(said()).toContain('encryption.key-missing: a payload is sealed with the key \\"k1\\"');
});

test.each([
  ['with a key that seals', { keys: {}, use: 'k1' }, false],
  ['without', undefined, true],
])('the log has the text of a message to a channel: %s', async (_, encryption, isThere) => {
  const { log, said } = lines();
  const stateDir = scratchFolder();
  const { channelAdapters } = createToolbox({
    records: openRecords({ stateDir }),
    ...{ stateDir, pipelineDirs: [stateDir], channels: {}, defaultAdapter: 'house', searchAttributes: [], log },
    ...(encryption ? { encryption } : {}),
  });
  const report = { name: 'zebrafish.md', command: 'show' };
  const message = { channel: '#desk', run: 'r', kind: 'message', text: 'Is it a zebrafish?', report } as const;
  for (const one of channelAdapters)
    if (one instanceof ConsoleChannel) await one.deliver({ ...message, title: '', body: '', id: 'x' } as never);
  expect([said().includes('zebrafish'), said().includes('#desk')]).toEqual([isThere, true]);
});
