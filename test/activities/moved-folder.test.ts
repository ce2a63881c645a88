import { agent } from '../../activities/agent/agent';
import type { AgentAdapter, AgentRequest } from '../../activities/agent-port';
import type { HostLife } from '../../activities/worktree-port';
import type { Turn } from '../../records/transcripts/turn';
import { KEY, type Workshop, withAgent, workshop } from './workshop';

const TOLD = 'worked on before, on another machine';

/** Works in the step's folder. It dies before its answer as often as the test says. */
function worker(dies: () => boolean): AgentAdapter & { prompts: string[] } {
  const adapter = {
    ...{ name: 'fake', usesFolder: true as const, prompts: [] as string[] },
    async *run({ prompt }: AgentRequest): AsyncIterable<Turn> {
      adapter.prompts.push(prompt);
      if (dies()) throw new Error('killed');
      yield { role: 'assistant', text: 'done' };
    },
  };
  return adapter;
}

interface Fleet {
  shop: Workshop;
  adapter: ReturnType<typeof worker>;
  /** Whether the agent read a note, and the events for the journal. */
  on(host: string | undefined, id: string, attempt?: number): Promise<[told: boolean, moves: string[]]>;
}

/** @param alive the hosts that give signs of life */
function hostLife(host: string, alive: readonly string[]): HostLife {
  return {
    host: async () => host,
    announce: async () => async () => undefined,
    isAlive: async (other) => alive.includes(other),
    silentMs: 5000,
  };
}

interface FleetOptions {
  deaths?: number;
  cwd?: string;
  alive?: string[];
}

async function fleet({ deaths = 0, cwd, alive = [] }: FleetOptions = {}): Promise<Fleet> {
  let left = deaths;
  const adapter = worker(() => left-- > 0);
  const shop = workshop(withAgent(adapter));
  await shop.open([{ id: 'bull', kind: 'agent', agent: 'bull', ...(cwd === undefined ? {} : { cwd: [{ kind: 'literal', value: cwd }] }) }]);
  return {
    shop,
    adapter,
    async on(host, id, attempt = 1) {
      const toolbox = host === undefined ? shop.toolbox : { ...shop.toolbox, folderHost: hostLife(host, alive) };
      const { journal = [] } = await agent(toolbox, shop.call(id, { attempt }), { run: KEY.run });
      const moves = journal.flatMap((event) => (event.kind === 'folder' ? [`${event.step}: ${event.from} to ${event.host}`] : []));
      return [adapter.prompts.at(-1)?.includes(TOLD) ?? false, moves];
    },
  };
}

test('an agent learns in its first try on another host that its files are not there, and so does the journal', async () => {
  const { on, adapter } = await fleet();
  expect(await on('a', 'bull#1~1')).toEqual([false, []]);
  expect(await on('a', 'bull#2~1')).toEqual([false, []]);
  expect(await on('b', 'bull#3~1')).toEqual([true, ['bull#3: a to b']]);
  expect(adapter.prompts.at(-1)?.split(TOLD)).toHaveLength(2);
  expect(await on('b', 'bull#4~1')).toEqual([false, []]);
  // The first host has the files of two rounds before.
  expect(await on('a', 'bull#5~1')).toEqual([true, ['bull#5: b to a']]);
});

test('after its worker was lost the agent reads the note on the next host, and again after another crash there', async () => {
  const { on } = await fleet({ deaths: 2 });
  await expect(on('a', 'bull#1~1')).rejects.toThrow('killed');
  await expect(on('b', 'bull#1~1', 2)).rejects.toThrow('killed');
  expect(await on('b', 'bull#1~1', 3)).toEqual([true, ['bull: a to b']]);
  expect(await on('b', 'bull#2~1')).toEqual([false, []]);
});

test('steps do not move each other', async () => {
  const { on } = await fleet();
  await on('a', 'bull[0]#1~1');
  expect(await on('b', 'bull[1]#1~1')).toEqual([false, []]);
});

test('where workers share the folders, nothing is noted', async () => {
  const { on, shop } = await fleet();
  expect(await on(undefined, 'bull#1~1')).toEqual([false, []]);
  expect(await shop.ledger.lines(KEY, 'bull/folder')).toEqual([]);
  await on('a', 'bull#2~1');
  expect(await shop.ledger.lines(KEY, 'bull/folder')).toMatchObject([{ host: 'a', call: 'bull#2~1' }]);
});

test('nor is anything of a folder that the step names', async () => {
  const { on, shop } = await fleet({ cwd: '.' });
  await on('a', 'bull#1~1');
  expect(await on('b', 'bull#2~1')).toEqual([false, []]);
  expect(await shop.ledger.lines(KEY, 'bull/folder')).toEqual([]);
});

test('while the host of its files lives, a step stays there: no other asks its agent, and the refusal says who has them', async () => {
  const alive = ['a', 'b'];
  const { on, adapter, shop } = await fleet({ deaths: 1, alive });
  await expect(on('a', 'bull#1~1')).rejects.toThrow('killed');
  const refused = expect.objectContaining({ code: 'folder.elsewhere', details: { host: 'a', silentMs: 5000 } });
  await expect(on('b', 'bull#1~1', 2)).rejects.toEqual(refused);
  expect(adapter.prompts).toHaveLength(1);
  expect(await on('a', 'bull#1~1', 3)).toEqual([false, []]);
  await expect(on('b', 'bull#2~1')).rejects.toEqual(refused);
  // What is done is done, wherever it is asked for.
  expect(await on('b', 'bull#1~1')).toEqual([false, []]);
  alive.shift();
  expect(await on('b', 'bull#2~1')).toEqual([true, ['bull#2: a to b']]);
  alive.unshift('a');
  await expect(on('a', 'bull#3~1')).rejects.toMatchObject({ code: 'folder.elsewhere', details: { host: 'b' } });
  expect(await shop.ledger.lines(KEY, 'bull/folder')).toHaveLength(2);
});

test('of two calls that begin at once on two hosts one works, and the other is given to the host of the first', async () => {
  const alive = ['a', 'b', 'c', 'd'];
  const { on, adapter, shop } = await fleet({ alive });
  let n = 0;
  /** Returns the host that works, and what its try was. */
  async function atOnce(...hosts: [string, string]): Promise<{ host: string; worked: unknown }> {
    const ids = hosts.map(() => `bull#${++n}~1`);
    const both = await Promise.allSettled(hosts.map((host, i) => on(host, ids[i] ?? '')));
    const first = both.findIndex(({ status }) => status === 'fulfilled');
    const host = hosts[first] ?? '';
    expect(both[1 - first]).toMatchObject({ status: 'rejected', reason: { code: 'folder.elsewhere', details: { host } } });
    expect(await on(host, ids[1 - first] ?? '', 2)).toEqual([false, []]);
    return { host, worked: both[first] };
  }
  const begun = await atOnce('a', 'b');
  expect(begun.worked).toMatchObject({ value: [false, []] });
  expect(adapter.prompts).toHaveLength(2);
  alive.splice(alive.indexOf(begun.host), 1);
  const moved = await atOnce('c', 'd');
  expect(moved.worked).toMatchObject({ value: [true, [expect.stringMatching(new RegExp(`: ${begun.host} to ${moved.host}$`))]] });
  expect(adapter.prompts).toHaveLength(4);
  // One that was stopped before it could learn of this does not count.
  await shop.ledger.append(KEY, 'bull/folder', { host: 'b', call: 'bull#9~1', at: 'now', after: 1 });
  await expect(
    on('d', 'bull#8~1').then(
      () => 'd',
      ({ details }) => details.host,
    ),
  ).resolves.toBe(moved.host);
});

test('a call asks once where the files of its step are', async () => {
  const { on, shop } = await fleet();
  await on('a', 'bull#1~1');
  const read = jest.spyOn(shop.ledger, 'lines');
  await on('a', 'bull#2~1');
  expect(read.mock.calls.filter(([, log]) => log === 'bull/folder')).toHaveLength(1);
});
