import type { ActivityCall } from '../../activities/activity-call';
import { agent } from '../../activities/agent/agent';
import type { AgentAdapter, AgentRequest } from '../../activities/agent-port';
import { command } from '../../activities/commands/command';
import type { Timer } from '../../activities/deadline';
import type { CommandRequest } from '../../activities/ports';
import type { HostWorktrees, WorktreePlace, WorktreePlan } from '../../activities/worktree-port';
import { claimWorktree } from '../../activities/worktrees/claim-worktree';
import { closeWorktree } from '../../activities/worktrees/close-worktree';
import { takeEpoch } from '../../activities/worktrees/epochs';
import { restoreWorktree } from '../../activities/worktrees/restore-worktree';
import type { ToolResult } from '../../plan/agents/tool';
import type { MemberWork } from '../../plan/board/member-work';
import type { Usage } from '../../plan/budgets/usage';
import { ThermidorFailure } from '../../plan/run/failure';
import { MOST_EPOCHS, type WorktreeUse } from '../../plan/run/worktree';
import type { AgentStep, Step } from '../../plan/steps/step';
import type { StepInput, StepOutput } from '../../plan/steps/step-activity';
import { LogFiles } from '../../records/directory/step-logs/log-files';
import type { Turn } from '../../records/transcripts/turn';
import { entriesOf } from '../logs/kept';
import { scratchFolder } from '../support/scratch-folder';
import { codeOf, failureOf, KEY, type Workshop, withAgent, workshop } from './workshop';

/** What is done for a step in a worktree, and in which order. What git does is tested in test/worktrees. */
interface Host extends HostWorktrees {
  calls: string[];
  /** Thrown once by the next call of that name. */
  fails: Map<string, Error>;
  /** The commit at the run ref of the epoch. */
  ref?: string;
  /** Another date is another worktree. */
  createdAt: string;
}

const PLAN: WorktreePlan = { repository: '/repository', refsIn: 'repository', base: 'base', copy: [], keep: false };

function hostOf(id: string, alive: readonly string[] = []): Host {
  const calls: string[] = [];
  const fails = new Map<string, Error>();
  let saves = 0;
  const noted = (what: string, name = what.split(' ')[0] ?? ''): void => {
    calls.push(what);
    const error = fails.get(name);
    fails.delete(name);
    if (error) throw error;
  };
  const host: Host = {
    ...{ calls, fails, createdAt: '2026-11-28T07:30:00.000Z' },
    host: async () => id,
    announce: async () => async () => undefined,
    isAlive: async (other) => alive.includes(other),
    async resolve({ repo = '.', base = 'base' }) {
      noted(`resolve ${repo}`);
      return { ...PLAN, base };
    },
    pushed: async () => host.ref,
    async open({ epoch }, _plan, commit, setup) {
      noted(`open ${epoch} at ${commit}`);
      await setup('/tree', { THERMIDOR_PORT_BASE: '20000' });
      return { folder: '/tree', env: { THERMIDOR_PORT_BASE: '20000' }, branch: 'b', commit, createdAt: host.createdAt };
    },
    folderIn: async (folder, path) => `${folder}/${path}`,
    restore: async (_at, _plan, commit) => noted(`restore ${commit}`),
    update: async (_at, _plan, { onto }) => noted(`update ${onto}`),
    async save({ epoch }, _plan, { message }, signal) {
      signal.throwIfAborted();
      noted(`save ${epoch} ${message.split('\n')[0]}`);
      saves += 1;
      host.ref = `commit-${saves}`;
      return host.ref;
    },
    async push() {
      noted('push');
      return 'head';
    },
    async close({ epoch }, _plan, teardown) {
      noted(`close ${epoch}`);
      await teardown?.('/tree', {});
      return {};
    },
  };
  return host;
}

const BUILD: Step = { kind: 'command', id: 'build', command: { shell: ['make'] }, cwd: ['app'], worktree: { repo: ['repo'] } };
const USED: Usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, costMicroUsd: null };
const USE: WorktreeUse = { slot: 'build', epoch: 1, commit: 'base' };

interface Scene extends Workshop {
  host: Host;
  ran: CommandRequest[];
}

const atOnce: Timer = (_ms, ring) => {
  setImmediate(ring);
  return () => undefined;
};

/** A run whose worktree is there, on this host. */
async function scene(step: Step = BUILD, execute: (request: CommandRequest) => unknown = () => undefined): Promise<Scene> {
  const host = hostOf('host-1');
  const ran: CommandRequest[] = [];
  const processes = {
    async run(request: CommandRequest) {
      ran.push(request);
      host.calls.push(`run ${'shell' in request.command ? request.command.shell : request.command.argv.join(' ')}`);
      await execute(request);
      return { stdout: 'made', stderr: '' };
    },
  };
  const shop = workshop({ worktrees: host, processes, timer: atOnce });
  await shop.open([step]);
  return { ...shop, host, ran };
}

const claim = ({ toolbox, call }: Workshop, more: Partial<Parameters<typeof claimWorktree>[2]> = {}) =>
  claimWorktree(toolbox, call('build#1~1/worktree'), { run: KEY.run, slot: 'build', ...more });
const work = ({ toolbox, call }: Workshop, more: object = {}) => command(toolbox, call('build#1~1', more), { run: KEY.run, worktree: USE });

describe('a worktree that is put back', () => {
  const restore = ({ toolbox, call }: Workshop) =>
    restoreWorktree(toolbox, call('build#1~1/restore-1'), { run: KEY.run, to: 'kept', worktree: USE });

  test('is at a commit that it has had, and so is its ref; done again it is the same', async () => {
    const shop = await scene();
    await claim(shop);
    shop.host.ref = 'saved-before';
    shop.host.calls.length = 0;
    const restored = await restore(shop);
    expect(shop.host.calls).toEqual(['open 1 at base', 'restore kept', 'save 1 build']);
    expect(restored.worktree).toMatchObject({ slot: 'build', epoch: 1 });
    shop.host.calls.length = 0;
    await restore(shop);
    expect(shop.host.calls).toEqual(['open 1 at base', 'restore kept', 'save 1 build']);
  });

  test('is no matter of a host that has lost it', async () => {
    const shop = await scene();
    await claim(shop);
    await shop.toolbox.ledger.putIfAbsent(KEY, 'worktree/build/2', { host: 'another' });
    expect(await codeOf(restore(shop))).toBe('worktree.lost');
  });
});

describe('a command in a worktree', () => {
  test('begins from what was saved last, works in the worktree, and is recorded once its work is saved', async () => {
    const shop = await scene();
    await claim(shop);
    shop.host.ref = 'saved-before';
    const output = await work(shop);
    expect(shop.host.calls).toEqual([
      'resolve repo',
      'open 1 at base',
      'open 1 at base',
      'restore saved-before',
      'run make',
      'save 1 build',
    ]);
    expect(shop.ran).toMatchObject([{ cwd: '/tree/app', env: { THERMIDOR_PORT_BASE: '20000', GIT_CEILING_DIRECTORIES: '/' } }]);
    expect(output.worktree).toEqual({ slot: 'build', epoch: 1, commit: 'commit-1' });
    expect(await work(shop)).toEqual(output);
    expect(shop.ran).toHaveLength(1);
  });

  test('says with its work what was changed there by nobody who was at work', async () => {
    const shop = await scene();
    await claim(shop);
    const open: HostWorktrees['open'] = async (...given) => ({ ...(await shop.host.open(...given)), unattended: 'a.txt was changed' });
    const found = { ...shop, toolbox: { ...shop.toolbox, worktrees: { ...shop.host, open } } };
    expect((await work(found)).worktree).toEqual({ slot: 'build', epoch: 1, commit: 'commit-1', unattended: 'a.txt was changed' });
  });

  test('shares it with others by its path, if the worktree is one for all', async () => {
    const shop = await scene({ ...BUILD, worktree: { shared: true } });
    await claim(shop);
    const places: WorktreePlace[] = [];
    const open: HostWorktrees['open'] = (...given) => {
      places.push(given[0]);
      return shop.host.open(...given);
    };
    await work({ ...shop, toolbox: { ...shop.toolbox, worktrees: { ...shop.host, open } } });
    expect(places).toEqual([{ key: KEY, slot: 'build', epoch: 1, step: 'build', sharedBy: 'build' }]);
  });

  test('that fails has saved what it did, and its failure says where', async () => {
    const shop = await scene(BUILD, () => {
      throw new ThermidorFailure('command.failed', 'red');
    });
    await claim(shop);
    expect(await failureOf(work(shop))).toMatchObject({ code: 'command.failed', work: { worktree: { epoch: 1, commit: 'commit-1' } } });
    expect(await shop.ledger.get(KEY, 'build#1~1')).toBeUndefined();
  });

  test('whose repository is away is saved later, and not run again', async () => {
    const shop = await scene();
    await claim(shop);
    shop.host.fails.set('save', new ThermidorFailure('repository.unreachable', 'no route'));
    await work(shop);
    expect(shop.ran).toHaveLength(1);
    expect(shop.host.calls.filter((call) => call.startsWith('save'))).toHaveLength(2);
  });

  test('gives signs of life while it is opened and saved', async () => {
    const shop = await scene();
    await claim(shop);
    let beats = 0;
    await work(shop, { heartbeat: () => (beats += 1) });
    // One turn of the command itself, one before it and one after it.
    expect(beats).toBeGreaterThanOrEqual(3);
  });

  test('records nothing once another host has the worktree, whenever that was', async () => {
    const before = await scene();
    await claim(before);
    await takeEpoch(before.ledger, KEY, 'build', 2, 'host-2');
    expect(await codeOf(work(before))).toBe('worktree.lost');
    expect(before.ran).toEqual([]);

    const during: Scene = await scene(BUILD, () => takeEpoch(during.ledger, KEY, 'build', 2, 'host-2'));
    await claim(during);
    expect(await codeOf(work(during))).toBe('worktree.lost');

    const atPush = await scene();
    await claim(atPush);
    atPush.host.fails.set('save', new ThermidorFailure('worker.lost', 'a later epoch is there'));
    expect(await codeOf(work(atPush))).toBe('worktree.lost');

    for (const shop of [before, during, atPush]) expect(await shop.ledger.get(KEY, 'build#1~1')).toBeUndefined();
  });

  test('that is cancelled saves what it has, in the time that its run waits', async () => {
    const own = new AbortController();
    const shop = await scene(BUILD, () => {
      own.abort(new Error('cancelled'));
      throw own.signal.reason;
    });
    await claim(shop);
    await expect(work(shop, { signal: own.signal })).rejects.toThrow('cancelled');
    expect(shop.host.calls.at(-1)).toBe('save 1 build');
  });

  test('is nothing for a worker without worktrees: it never falls back to the checkout', async () => {
    const shop = await scene();
    const { worktrees: _none, ...toolbox } = shop.toolbox;
    expect(await codeOf(command(toolbox, shop.call('build#1~1'), { run: KEY.run, worktree: USE }))).toBe('worktree.unavailable');
    expect(shop.ran).toEqual([]);
  });
});

describe('a claim', () => {
  test('says once, in the step’s log, what the worktree lacks', async () => {
    const shop = await scene();
    const root = scratchFolder();
    shop.toolbox.logs = new LogFiles(root);
    shop.host.resolve = async () => ({ ...PLAN, notes: ['submodules are empty', 'changes are not in it'] });
    await claim(shop);
    await claim(shop);
    const [, ...notes] = await entriesOf(root, 'build#1~1/worktree');
    expect(notes).toMatchObject([
      { from: 'note', text: 'submodules are empty' },
      { from: 'note', text: 'changes are not in it' },
    ]);
  });

  test('settles repository and base once, whatever happens to them later', async () => {
    const shop = await scene();
    const first = await claim(shop);
    shop.host.resolve = async () => ({ ...PLAN, base: 'moved' });
    expect(await claim(shop)).toEqual(first);
    expect(first).toMatchObject({ epoch: 1, host: 'host-1', base: 'base', silentMs: 30_000 });
  });

  test('leaves the lease of a host that is alive as it is, and takes over that of one that is not', async () => {
    const shop = await scene();
    const held = await claim(shop);
    const other = (alive: string[]) => ({ ...shop.toolbox, worktrees: hostOf('host-2', alive) });
    const ask = (alive: string[]) => claimWorktree(other(alive), shop.call('build#1~1/worktree'), { run: KEY.run, slot: 'build', held });
    expect(await ask(['host-1'])).toEqual(held);
    expect(await claim(shop, { held })).toEqual(held);
    expect(await ask([])).toMatchObject({ epoch: 2, host: 'host-2' });
    // The old host is back. The call that took over has told nobody; that makes no difference.
    expect(await claim(shop, { held })).toMatchObject({ epoch: 3, host: 'host-1' });
  });

  test('that is made twice on one host is one epoch, on two hosts two, and not without end', async () => {
    const shop = await scene();
    const on = (host: string, from = 1) => takeEpoch(shop.ledger, KEY, 'build', from, host);
    expect([await on('a'), await on('a'), await on('b'), await on('a')]).toEqual([1, 1, 2, 1]);
    for (let epoch = 3; epoch <= MOST_EPOCHS; epoch++) await on(`c${epoch}`);
    expect(await codeOf(on('late', 2))).toBe('worktree.unavailable');
    expect(await takeEpoch(shop.ledger, KEY, 'build', 2, 'late', MOST_EPOCHS + 1)).toBe(MOST_EPOCHS + 1);
  });

  test('of a rerun begins with what the run before left, if that is still there', async () => {
    const carried = {
      repository: '/repository',
      refsIn: 'repository',
      base: 'old',
      commit: 'kept',
      ref: 'refs/thermidor/x/build/1',
      madeIn: { workflowId: 'before', run: 'r0', slot: 'build' },
    } as const;
    const shop = await scene();
    expect(await codeOf(claim(shop, { carried }))).toBe('worktree.unavailable');
    shop.host.ref = 'newer';
    expect(await claim(shop, { carried })).toMatchObject({ base: 'old', commit: 'kept' });
    const elsewhere = await scene();
    elsewhere.host.ref = 'newer';
    expect(await codeOf(claim(elsewhere, { carried: { ...carried, repository: '/other' } }))).toBe('worktree.unavailable');
  });

  test('runs the owner’s setup in the worktree, and saves what that leaves', async () => {
    const shop = await scene({ ...BUILD, env: { CI: ['1'] }, worktree: { setup: [['npm ci'], ['touch x']], teardown: [['docker stop']] } });
    expect(await claim(shop)).toMatchObject({ commit: 'commit-1' });
    expect(shop.host.calls).toEqual(['resolve .', 'open 1 at base', 'run npm ci', 'run touch x', 'save 1 setup of build']);
    expect(shop.ran[0]).toMatchObject({ cwd: '/tree', env: { CI: '1', THERMIDOR_PORT_BASE: '20000' } });
    const lease = await claim(shop);
    await closeWorktree(shop.toolbox, shop.call('build#1~1/close-worktree'), { run: KEY.run, lease });
    expect(shop.host.calls.slice(-2)).toEqual(['close 1', 'run docker stop']);
  });

  test('whose setup fails leaves nothing behind', async () => {
    const shop = await scene({ ...BUILD, worktree: { setup: [['npm ci']] } }, () => {
      throw new ThermidorFailure('command.failed', 'no network', { exitCode: 1 });
    });
    expect(await failureOf(claim(shop))).toMatchObject({ code: 'worktree.setup-failed', details: { exitCode: 1 } });
    expect(shop.host.calls.at(-1)).toBe('close 1');
  });

  test('whose setup takes longer than a try of its owner may is not made, however many commands it has', async () => {
    const late = new ThermidorFailure('command.timeout', 'the command did not end');
    const shop = await scene({ ...BUILD, timeoutMs: 60_000, worktree: { setup: [['npm ci'], ['sleep 900']] } }, ({ command }) => {
      if ('shell' in command && command.shell.startsWith('sleep')) throw late;
    });
    const message = expect.stringContaining('command 2 of `setup` failed in the worktree of "build": `setup` did not end within 1 min');
    await expect(claim(shop)).rejects.toMatchObject({ code: 'worktree.setup-failed', message });
    const times = shop.ran.map(({ timeoutMs = 0 }) => timeoutMs);
    expect(times.every((ms) => ms > 0 && ms <= 60_000)).toBe(true);
    expect(times).toHaveLength(2);
  });

  test('that Temporal makes again leaves what is there', async () => {
    const shop = await scene();
    shop.host.fails.set('open', new ThermidorFailure('repository.unreachable', 'no route'));
    expect(await codeOf(claim(shop))).toBe('repository.unreachable');
    expect(shop.host.calls.at(-1)).toBe('open 1 at base');
  });
});

describe('an agent in a worktree', () => {
  const step: AgentStep = { kind: 'agent', id: 'build', agent: 'bull', worktree: {} };

  /** An agent whose HEAD is at these commits, one after each of its turns. */
  async function asked(
    heads: string[],
    use: WorktreeUse = USE,
    more: Partial<ActivityCall> = {},
    afterwards = (): void => undefined,
  ): Promise<{ host: Host; requests: AgentRequest[]; output: Promise<StepOutput> }> {
    const requests: AgentRequest[] = [];
    let head = 'head-0';
    const adapter: AgentAdapter = {
      ...{ name: 'fake', usesFolder: true },
      async *run(request) {
        requests.push(request);
        for (const next of heads) {
          head = next;
          yield { role: 'assistant', text: next, stop: 'aside', usage: USED };
          afterwards();
        }
        yield { role: 'assistant', text: 'done' };
      },
    };
    const host = hostOf('host-1');
    const shop = workshop({ worktrees: host, workHead: async () => head, ...withAgent(adapter) });
    await shop.open([step]);
    await claim(shop);
    const output = agent(shop.toolbox, shop.call('build#1~1', more), { run: KEY.run, worktree: use });
    return { host, requests, output };
  }

  test('works in its folder, keeps its files as they are, and has its commits pushed as they come', async () => {
    const { host, requests, output } = await asked(['head-0', 'head-1', 'head-1']);
    expect(await output).toMatchObject({ worktree: { slot: 'build', epoch: 1, commit: 'commit-1' } });
    expect(requests[0]).toMatchObject({ cwd: '/tree', env: { THERMIDOR_PORT_BASE: '20000' } });
    expect(host.calls.slice(2)).toEqual(['open 1 at base', 'push', 'save 1 build']);
  });

  test('goes on if its commits cannot be pushed yet, and not if the worktree is another’s', async () => {
    const away = await asked(['head-1', 'head-1']);
    away.host.fails.set('push', new ThermidorFailure('repository.unreachable', 'no route'));
    await away.output;
    expect(away.host.calls.filter((call) => call === 'push')).toHaveLength(2);
    const lost = await asked(['head-1']);
    lost.host.fails.set('push', new ThermidorFailure('worker.lost', 'a later epoch is there'));
    expect(await codeOf(lost.output)).toBe('worktree.lost');
  });

  test('that is called off saves what it has, and says what it has used', async () => {
    const own = new AbortController();
    const calledOff = { signal: own.signal, isCancelled: () => true };
    const { host, output } = await asked(['head-0'], USE, calledOff, () => own.abort(new Error('cancelled')));
    expect(await output).toMatchObject({ paused: { kind: 'cancelled' }, worktree: { commit: 'commit-1' } });
    expect(host.calls.at(-1)).toBe('save 1 build');
  });

  describe('that is lost with its host or disk', () => {
    const NOTE = 'It was made again, on 2026-11-28T08:00:00.000Z, at commit base: changes that you had not committed before are lost';
    const unsaved = new ThermidorFailure('store.unavailable', 'the folder of worktrees was deleted');
    const unreachable = new ThermidorFailure('adapter.unavailable', 'no route');

    /** @param says what it does when it is asked for the so-manieth time; by default it says that it is done */
    async function lost(says: Record<number, (request: AgentRequest) => AsyncIterable<Turn>> = {}, more: Partial<AgentAdapter> = {}) {
      const requests: AgentRequest[] = [];
      const adapter: AgentAdapter = {
        ...{ name: 'fake', usesFolder: true, ...more },
        async *run(request) {
          const number = requests.push(request);
          yield* says[number]?.(request) ?? [];
          yield { role: 'assistant', text: `done ${number}` };
        },
      };
      const host = hostOf('host-1');
      const shop = workshop({ worktrees: host, workHead: async () => 'head', ...withAgent(adapter) });
      await shop.open([step]);
      await claim(shop);
      const attempt = (number: number, more: Partial<StepInput> = {}) =>
        agent(shop.toolbox, shop.call('build#1~1', { attempt: number }), { run: KEY.run, worktree: USE, ...more });
      const loseIt = (at = '2026-11-28T08:00:00.000Z'): void => {
        host.createdAt = at;
      };
      const read = async ({ artifact }: StepOutput) => (artifact ? (await shop.toolbox.artifacts.get(artifact)).toString() : '');
      return { host, requests, attempt, loseIt, read };
    }

    test('an answer that was given before does not count: the agent is asked again, once', async () => {
      const { host, requests, attempt, loseIt, read } = await lost();
      host.fails.set('save', unsaved);
      expect(await codeOf(attempt(1))).toBe('store.unavailable');
      loseIt();
      host.fails.set('save', unsaved);
      expect(await codeOf(attempt(2))).toBe('store.unavailable');
      expect(await read(await attempt(3))).toBe('done 2');
      expect(requests.map(({ ask, prompt }) => [ask, prompt.includes(NOTE)])).toEqual([
        [1, false],
        [2, true],
      ]);
      expect(requests[1]?.prompt).toContain('Step: build');
    });

    test('it is asked again after each loss', async () => {
      const { host, requests, attempt, loseIt, read } = await lost();
      for (const [number, at] of [
        [1, '2026-11-28T08:00:00.000Z'],
        [2, '2026-11-28T09:00:00.000Z'],
      ] as const) {
        host.fails.set('save', unsaved);
        expect(await codeOf(attempt(number))).toBe('store.unavailable');
        loseIt(at);
      }
      expect(await read(await attempt(3))).toBe('done 3');
      expect(requests[2]?.prompt).toContain('on 2026-11-28T09:00:00.000Z');
    });

    test.each([
      ['a program reads it with its prompt', { ownTools: true as const }],
      ['a model reads it before its next turn', { hearsMeanwhile: true as const }],
    ])('in the middle of its work %s, and is not asked again', async (_how, more) => {
      const call = { id: 'call', tool: 'nothing', args: {} };
      const { requests, attempt, loseIt, read } = await lost(
        {
          async *1({ tools }) {
            yield { role: 'assistant', text: '', calls: [call], usage: USED };
            await tools?.call(call);
            throw unreachable;
          },
        },
        more,
      );
      expect(await codeOf(attempt(1))).toBe('adapter.unavailable');
      loseIt();
      expect(await read(await attempt(2))).toBe('done 2');
      const [, second] = requests;
      const isHeard = [second?.prompt ?? '', ...(second?.transcript() ?? []).map(({ text }) => text)].some((text) => text.includes(NOTE));
      expect([requests.length, isHeard]).toEqual([2, true]);
    });

    test('a task that a member completed before is not completed by that', async () => {
      const member: MemberWork = { name: 'bob', team: 'backlog', context: [], inbox: 'inbox', maxTurns: 50, others: [] };
      const call = { id: 'call', tool: 'complete_task', args: { task_id: 1 } };
      const results: ToolResult[] = [];
      async function* completes({ tools, transcript }: AgentRequest): AsyncIterable<Turn> {
        if (!transcript().some(({ calls }) => calls?.length)) yield { role: 'assistant', text: '', calls: [call], usage: USED };
        const result = await tools?.call(call);
        if (result) results.push(result);
      }
      const { host, attempt, loseIt } = await lost({ 1: completes, 2: completes }, { hearsMeanwhile: true });
      host.fails.set('save', unsaved);
      expect(await codeOf(attempt(1, { member }))).toBe('store.unavailable');
      loseIt();
      const output = await attempt(2, { member });
      expect(results).toEqual([expect.objectContaining({ text: expect.stringContaining(NOTE) })]);
      expect(output.journal).toMatchObject([{ kind: 'tool', tool: 'complete_task', outcome: 'refused' }]);
    });

    test('nothing is said to an agent that had not begun', async () => {
      const { requests, attempt, loseIt } = await lost({
        async *1() {
          yield* [];
          throw unreachable;
        },
      });
      expect(await codeOf(attempt(1))).toBe('adapter.unavailable');
      loseIt();
      await attempt(2);
      expect(requests.map(({ prompt }) => prompt.includes('made again'))).toEqual([false, false]);
    });
  });
});
