import { isAlive } from '../../client/task-queue';

/** A worker polls before its first heartbeat, and the server keeps its last poll for a minute after its end. */
const NOW = Date.parse('2026-11-29T12:00:00Z');
const seenBefore = (seconds: number) => ({ identity: 'w', lastSeen: new Date(NOW - seconds * 1000).toISOString() });

test.each([
  ['is listed', seenBefore(60), [{ identity: 'w' }], true],
  ['has just begun to poll, and is not listed yet', seenBefore(3), [], true],
  ['polled a while ago, and is not listed', seenBefore(20), [{ identity: 'other' }], false],
  ['polled within the last minute, on a server that lists no workers', seenBefore(60), undefined, true],
])('a poller that %s: %#', (_, poller, listed, alive) => {
  expect(isAlive(poller, listed, NOW)).toBe(alive);
});
