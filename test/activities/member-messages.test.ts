import type { AttemptScope } from '../../activities/agent/agent-session';
import { postLines, unreadMessages } from '../../activities/agent/member-messages';
import type { Transcript } from '../../activities/agent/transcript';
import { pageOf } from '../../plan/board/exchange';
import type { BoardMessage } from '../../plan/board/message';
import { inboxText } from '../../plan/board/work-text';
import type { Json } from '../../plan/text/json';

const KEY = { workflowId: 'w', run: 'r' };
const INBOX = 'team/work-1/inbox';

function message(n: number, characters = 5): BoardMessage {
  return { id: `m${n}`, type: 'message', from: 'bob', to: 'alice', content: 'hello', characters, at: '2026-01-01T00:00:00.000Z' };
}

function member(read: string[] = []) {
  const lines: Json[] = [];
  const ledger = {
    lines: async () => lines,
    append: async (_run: unknown, _log: string, ...more: readonly Json[]) => void lines.push(...more),
  };
  const input = { member: { inbox: INBOX } };
  const scope = { input, call: { key: KEY }, toolbox: { ledger } } as unknown as AttemptScope;
  const transcript = { exchanges: () => [{ read }] } as unknown as Transcript;
  return {
    post: (...messages: BoardMessage[]) => postLines({ ledger }, KEY, { run: 'r', log: INBOX, lines: messages }),
    texts: () => unreadMessages(scope, transcript),
    unread: async () => (await unreadMessages(scope, transcript)).map(({ id }) => id),
  };
}

test('a message that was posted twice is read once, and one that the transcript has is not read again', async () => {
  const alice = member(['m1']);
  await alice.post(message(1), message(2));
  await alice.post(message(2), message(3));
  expect(await alice.unread()).toEqual(['m2', 'm3']);
});

test('what one turn shows is bounded as it is shown: of a thousand short messages none is lost', async () => {
  const alice = member();
  await alice.post(...Array.from({ length: 1000 }, (_, n) => message(n)));
  const shown = await alice.texts();
  expect(shown.length).toBeGreaterThan(100);
  expect(inboxText(shown).length).toBeLessThan(100_000);
});

test('what one turn shows is bounded, and a message that is too long alone comes all the same', async () => {
  const alice = member();
  await alice.post(message(1, 200_000), ...Array.from({ length: 10_000 }, (_, n) => message(n + 2, 100)));
  expect(await alice.unread()).toEqual(['m1']);
  expect(pageOf([60, 50, 1], 100, (n) => n)).toEqual([60]);
  expect(pageOf([], 100, (n) => n)).toEqual([]);
});
