import { mkdirSync, renameSync } from 'node:fs';
import disk from 'node:fs/promises';
import { join } from 'node:path';
import { follow } from '../../cli/following/follow';
import type { Session } from '../../cli/session/session';
import { stateFolderProblem } from '../../cli/session/state-folder-problem';
import { ClientProblem } from '../../client/client-problem';
import { NOBODY } from '../../plan/people/people';
import { LedgerFiles } from '../../records/directory/ledger-files';
import { scratchFolder } from '../support/scratch-folder';
import { fakeTerminal } from './fake-terminal';

let root: string;
beforeEach(() => {
  root = join(scratchFolder(), 'state');
  mkdirSync(root);
});
afterEach(() => jest.restoreAllMocks());

const PLACE = {
  ...Object.fromEntries(['address', 'namespace', 'taskQueue', 'storeSchema'].map((name) => [name, { value: 'x', source: 'default' }])),
  store: { value: undefined },
  artifacts: { value: undefined },
  callbacks: { value: {} },
  encryption: { value: undefined },
};

/** A server that takes no request, because its disk is full as well. */
function silentSession(embedded = true): Session {
  const missing = async (): Promise<never> => {
    throw new ClientProblem('worker.missing', 'no worker answered in time');
  };
  return {
    client: { call: missing, connection: { withAbortSignal: () => new Promise(() => undefined), withDeadline: missing } },
    configuration: { ...PLACE, stateDir: { value: root, source: 'default' }, user: { value: 'ann' }, directory: { value: NOBODY } },
    served: 'here',
    ...(embedded ? { embedded: {} } : {}),
  } as unknown as Session;
}

function refuse(code: string): void {
  jest.spyOn(disk, 'open').mockRejectedValue(Object.assign(new Error(code), { code }));
}

/** All that the follower says until a line fits or it fails. */
async function followed(session: Session, until: RegExp): Promise<string> {
  const leave = new AbortController();
  const terminal = fakeTerminal({
    interrupted: leave.signal,
    out: (text) => {
      terminal.written.out += text;
      if (until.test(terminal.written.out)) leave.abort();
    },
  });
  await follow({ session, terminal, run: 'r', json: false, leaveWhenWaiting: false });
  return terminal.written.out;
}

describe('a follower whom nobody answers', () => {
  test.each([
    ['ENOSPC', /the disk is full/],
    ['EROFS', /read-only/],
    ['EDQUOT', /quota/],
  ])('says of a disk that answers %s that it is the disk', async (code, says) => {
    refuse(code);
    const said = await followed(silentSession(), /asking again|…/);
    expect(said).toMatch(says);
    expect(said).toContain(root);
    expect(said).not.toContain('no worker');
  });

  test('says that it is for want of a worker if the disk is well', async () => {
    expect(await followed(silentSession(), /…/)).toContain('no worker answered in time; asking again');
  });

  test('does not speak of its own disk if the server is elsewhere', async () => {
    refuse('ENOSPC');
    expect(await followed(silentSession(false), /…/)).toContain('no worker answered in time');
  });

  test('gives up if the state folder was deleted', async () => {
    await new LedgerFiles(root).putIfAbsent({ workflowId: 'w', run: 'r' }, 'run', 1);
    renameSync(root, `${root}-aside`);
    await expect(followed(silentSession(), /never/)).rejects.toMatchObject({ code: 'store.unavailable', details: { reason: 'LOST' } });
  });
});

test('a look leaves nothing behind', async () => {
  expect(await stateFolderProblem(silentSession())).toBeUndefined();
  expect(await disk.readdir(root)).toEqual([]);
});
