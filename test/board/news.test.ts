import type { AttemptScope } from '../../activities/agent/agent-session';
import { unreadMessages } from '../../activities/agent/member-messages';
import type { Transcript } from '../../activities/agent/transcript';
import type { Board } from '../../kinds/board/board';
import { postNews } from '../../kinds/board/exchanges';
import type { PostInput } from '../../plan/board/exchange';
import type { BoardMessage } from '../../plan/board/message';
import type { StepContext } from '../../workflows/interpreter/context/step-context';
import { member, opened, PROMPT } from './board';

/**
 * What comes for a member during its WORK: the machine, the posting and the reading are the real ones, the run and the ledger stand-ins.
 */

/** Nothing is left to post. */
class Waits extends Error {}

function working(begins: 'spawn' | 'inbox') {
  const it = opened([member('alice', { prompt: PROMPT }), begins === 'inbox' ? member('bob') : member('bob', { prompt: PROMPT })], []);
  if (begins === 'inbox') it.send('alice', 'bob', 'one', { id: 'm1' });
  const order = it.member('bob').work!;
  const record = { kept: { kind: 'board', board: it.state } };
  const run = { ctx: { info: { firstRunId: 'r' } }, address: (path: string) => path, record: () => record };
  const board = { it: { run }, place: { path: 'team' } } as unknown as Board;
  const posted: BoardMessage[] = [];
  const shown: string[] = [];
  let last: string | null | undefined;
  const turn = {
    awaited: async (_name: string, _options: object, look: () => unknown) => {
      if (look() === undefined) throw new Waits();
    },
    once: (_name: string, decide: () => unknown) => decide(),
    call: async (_name: string, _activity: string, input: () => PostInput) => void posted.push(...(input().lines as BoardMessage[])),
  };
  const ctx = {
    async loop(_name: string, begun: string | null, body: (turn: object, last: string | null) => Promise<{ next: string | null }>) {
      if (last === undefined) last = begun;
      for (;;) last = (await body(turn, last)).next;
    },
  };
  return {
    it,
    order,
    posts: () => expect(postNews(board, ctx as unknown as StepContext, 'bob', order)).rejects.toBeInstanceOf(Waits),
    async reads() {
      const scope = { input: { member: { inbox: 'x' } }, call: { key: {} }, toolbox: { ledger: { lines: async () => posted } } };
      const transcript = { exchanges: () => [{ read: [...shown] }] };
      const news = await unreadMessages(scope as unknown as AttemptScope, transcript as unknown as Transcript);
      const ids = news.map(({ id }) => id);
      shown.push(...ids);
      it.tell({ kind: 'read', member: 'bob', messages: ids });
      return ids;
    },
  };
}

test.each(['spawn', 'inbox'] as const)(
  'a WORK that begins with %s has what comes meanwhile once, and never again what it began with',
  async (begins) => {
    const bob = working(begins);
    expect(bob.order).toMatchObject(begins === 'inbox' ? { begins, messages: ['m1'] } : { begins });
    await bob.posts();
    expect(await bob.reads()).toEqual([]);
    bob.it.send('alice', 'bob', 'two', { id: 'm2' });
    await bob.posts();
    bob.it.send('alice', 'bob', 'three', { id: 'm3' });
    await bob.posts();
    expect(await bob.reads()).toEqual(['m2', 'm3']);
    bob.it.send('alice', 'bob', 'four', { id: 'm4' });
    await bob.posts();
    expect(await bob.reads()).toEqual(['m4']);
    await bob.posts();
    expect(await bob.reads()).toEqual([]);
  },
);
