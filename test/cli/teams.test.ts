import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keepBoard, keptBoard } from '../../cli/boards/kept-board';
import { readTeam } from '../../cli/boards/team-order';
import { Options } from '../../cli/command';
import { execute as run } from '../../cli/commands/run';
import { execute as start } from '../../cli/commands/team-start';
import { leftOpen, openTasks } from '../../cli/rendering/open-tasks';
import { renderTeams } from '../../cli/rendering/teams';
import type { ThermidorClient } from '../../client/connect';
import { teamRunId } from '../../plan/board/team-run';
import type { Carry, CarryAnswer } from '../../plan/run/carry';
import { openRecords } from '../../records/open-records';
import type { Records } from '../../records/records';
import { RUN_RECORD } from '../../records/runs/run-record';
import { PipelineIndex } from '../../worker/pipeline-index';
import { newRepository } from '../git/scene';
import { scratchFolder } from '../support/scratch-folder';
import { fakeTerminal } from './fake-terminal';

const RUN = teamRunId('crew');
const PLAN = { kind: 'plan', sha256: 'a'.repeat(64), sizeBytes: 2, mediaType: 'application/json', name: 'crew.plan.json' } as const;
const BEGINS = { plan: 'p', args: {} };

let folder: string;
let stores: Records;
beforeEach(() => {
  folder = scratchFolder();
  stores = openRecords({ stateDir: join(folder, 'state') });
});

interface LastRun {
  runId: string;
  status: string;
  /** The id of its first execution. */
  first: string;
  /** What its board has; undefined if it never opened. */
  board?: string;
}

/** A server that has the last run of a team, or none. Each look at it may be another one. */
function serverWith(...runs: (LastRun | undefined)[]): ThermidorClient {
  const looks = [...runs];
  let now = looks[0];
  const describe = async () => {
    now = looks.length > 1 ? looks.shift() : looks[0];
    if (!now) throw new (jest.requireActual('@temporalio/client').WorkflowNotFoundError)('no such run', RUN, undefined);
    return { workflowId: RUN, runId: now.runId, type: 'crew', startTime: new Date(0), status: { name: now.status } };
  };
  const query = async (name: string) => {
    const { board, first } = now as LastRun;
    if (name === 'status') return { run: RUN, firstRunId: first, steps: [], ...(board === undefined ? {} : { plan: PLAN }) };
    const records: Carry['records'] = { team: { state: 'pending', round: 1, try: 1, ...{ board } } };
    return { carry: { run: RUN, from: 'team', records }, again: [], gates: { carried: [], again: [] }, notes: [] } satisfies CarryAnswer;
  };
  return {
    call: (request: () => unknown) => request(),
    temporal: { workflow: { getHandle: () => ({ describe, query }) } },
  } as unknown as ThermidorClient;
}

const ended = (first: string, board?: string): LastRun => ({
  runId: first,
  status: 'COMPLETED',
  first,
  ...(board === undefined ? {} : { board }),
});
const opened = (run: string, startedAt: string) =>
  stores.ledger.putIfAbsent({ workflowId: RUN, run }, RUN_RECORD, { plan: PLAN, args: {}, version: 1, startedAt });

async function kept(client: ThermidorClient): Promise<unknown> {
  const ref = await keptBoard(client, stores, RUN, BEGINS);
  return ref && JSON.parse((await stores.control.get(ref)).toString());
}

test('the next run begins with the board of the last, for its own plan', async () => {
  await opened('r1', '2026-01-01T00:00:00Z');
  expect(await kept(serverWith(ended('r1', 'one')))).toMatchObject({ records: { team: { board: 'one' } }, begins: BEGINS });
});

test('a team that has never run begins with nothing', async () => {
  expect(await kept(serverWith(undefined))).toBeUndefined();
});

test('the board of a run that the server has forgotten is in its ledger, the last that was kept', async () => {
  await opened('r1', '2026-01-01T00:00:00Z');
  await keepBoard(serverWith(ended('r1', 'one')), stores, RUN);
  await keepBoard(serverWith(ended('r1', 'two')), stores, RUN);
  expect(await kept(serverWith(undefined))).toMatchObject({ records: { team: { board: 'two' } } });
});

test('a later run that never opened has no board, and takes none away', async () => {
  await opened('r1', '2026-01-01T00:00:00Z');
  await keepBoard(serverWith(ended('r1', 'one')), stores, RUN);
  expect(await kept(serverWith(ended('r2')))).toMatchObject({ records: { team: { board: 'one' } } });
});

test('a board that was not kept is missed, and no older one is taken for it', async () => {
  await opened('r1', '2026-01-01T00:00:00Z');
  await keepBoard(serverWith(ended('r1', 'one')), stores, RUN);
  await opened('r2', '2026-01-02T00:00:00Z');
  await expect(kept(serverWith(undefined))).rejects.toMatchObject({ code: 'team.board-lost' });
});

test('a run that still goes on, or that has begun meanwhile, is not taken for the last one, and nothing of it is kept', async () => {
  await opened('r1', '2026-01-01T00:00:00Z');
  const running = { runId: 'r1', status: 'RUNNING', first: 'r1', board: 'one' };
  await expect(kept(serverWith(running))).rejects.toMatchObject({ code: 'team.running' });
  await expect(kept(serverWith(ended('r0', 'zero'), running))).rejects.toMatchObject({ code: 'team.running' });
  await expect(kept(serverWith(undefined))).rejects.toMatchObject({ code: 'team.board-lost' });
});

test('a pipeline is no team, and a team no pipeline, whatever may play its agents', async () => {
  writeFileSync(join(folder, 'thermidor.yaml'), '');
  const agents = 'agents: { coder: { role: You code. } }\n';
  writeFileSync(join(folder, 'plain.yaml'), `name: plain\n${agents}steps: [{ id: a, agent: coder }]\n`);
  writeFileSync(join(folder, 'crew.yaml'), `name: crew\n${agents}members: [{ name: ann, agent: coder }]\n`);
  const terminal = fakeTerminal({ cwd: folder, env: {} });
  const given = (name: string) => ({
    args: [name],
    options: new Options({}),
    terminal,
    catalogue: { commands: [], nouns: {} },
  });
  await expect(start(given('plain.yaml'))).rejects.toMatchObject({ code: 'team.not-a-team', exit: 2 });
  await expect(run(given('crew.yaml'))).rejects.toMatchObject({ code: 'team.no-pipeline', exit: 2 });
  // What is known is what the command takes.
  await expect(start(given('ghosts'))).rejects.toMatchObject({ code: 'pipeline.not-found', more: { details: { known: ['crew'] } } });
  await expect(run(given('ghosts'))).rejects.toMatchObject({ more: { details: { known: ['crew', 'plain'] } } });
  // No model can be asked here.
  await expect(run(given('plain.yaml'))).rejects.toMatchObject({ code: 'adapter.unavailable' });
});

test('a team whose work no queue of its folder would land is neither started nor stopped for it', async () => {
  const shop = newRepository({ 'a.txt': 'a' });
  writeFileSync(join(shop, 'thermidor.yaml'), 'queues: {shop: {repo: ., strategy: rebase}}\n');
  const wanted = async (strategy: string) => {
    const members = 'agents: { coder: { role: You code. } }\nmembers: [{ name: ann, agent: coder }]\n';
    writeFileSync(join(shop, 'crew.yaml'), `name: crew\n${members}worktree: true\nmerge: { into: main, strategy: ${strategy} }\n`);
    const terminal = fakeTerminal({ cwd: shop, env: {} });
    const options = new Options({ script: 'none' });
    return await readTeam({ args: ['crew'], options, terminal, catalogue: { commands: [], nouns: {} } }).catch(
      (error: { code: string }) => error.code,
    );
  };
  expect(await wanted('squash')).toBe('merge.strategy');
  expect(await wanted('rebase')).toBe('script.not-found');
});

test('a file is recognised as a team or as a pipeline, even with mistakes in it', () => {
  mkdirSync(join(folder, 'teams'));
  const files = {
    crew: 'name: crew\nmembers: []\n',
    broken: 'name: broken\nmembers: [\n',
    plain: 'name: plain\nsteps: []\n',
    both: 'name: both\nsteps: []\nmembers: []\n',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, 'teams', `${name}.yaml`), text);
  expect([...new PipelineIndex([join(folder, 'teams')]).teams().keys()]).toEqual(['broken', 'crew']);
});

test('a list shows who works and how much is done', () => {
  const terminal = fakeTerminal({});
  const text = renderTeams(
    [
      {
        ...{ team: 'crew', state: 'running', run: RUN, file: 'teams/crew.yaml', tasks: { completed: 2, total: 5 } },
        members: [
          { name: 'alice', status: 'working' },
          { name: 'bob', status: 'idle' },
          { name: 'cleo', status: 'working' },
        ],
      },
      { team: 'other', state: 'not started' },
    ],
    terminal,
  );
  expect(text).toContain('3: 2 working, 1 idle');
  expect(text).toContain('2 of 5 completed');
  expect(text).toMatch(/other +not started/);
});

test('what a team leaves open is listed, the first of many', () => {
  const task = (number: number) => ({ number, subject: `Do\n${number}`, status: 'pending' as const, blockedBy: [], attempt: 0 });
  expect(openTasks([])).toBe('');
  expect(openTasks([task(4)])).toBe('; 1 task is left open:\n  [ ] #4: Do 4');
  expect(
    openTasks(Array.from({ length: 23 }, (_, i) => task(i)))
      .split('\n')
      .at(-1),
  ).toBe('  and 3 more');
});

test('what was left out is not left open, and what a person decides is marked as on the board', () => {
  const statuses = ['completed', 'dropped', 'held', 'pending'] as const;
  const tasks = statuses.map((status, i) => ({ number: i + 1, subject: status, status, blockedBy: [], attempt: 0 }));
  expect(openTasks(leftOpen(tasks))).toBe('; 2 tasks are left open:\n  [?] #3: held\n  [ ] #4: pending');
});
