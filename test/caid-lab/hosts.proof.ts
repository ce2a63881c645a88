import { git } from '../../bench/caid/git-command';
import { LIBRARIES } from '../../bench/caid/library';
import type { Isolation } from '../../kinds/caid/rules/team';
import { journal, startDetached, untilStatus } from '../durability/support/runs';
import { Scratch, SET_UP_MS } from '../durability/support/scratch';
import { until } from '../durability/support/until';
import type { LabFolder } from './lab-folder';
import { evidenceOf, judgeTeam, PIPELINE, writeTeam } from './team-run';

/**
 * Two hosts: workers with homes and clones of their own, one bare repository that both know by its URL, and one state folder. `npm run
 * prove-team`.
 */
let scratch: Scratch;
let address = '';

beforeEach(async () => {
  scratch = await Scratch.make();
  address = await scratch.keepServer();
}, SET_UP_MS);
afterEach(() => scratch.close());

const MOST_MS = 1_800_000;
const QUEUE = 'hosts';
const on = (): string[] => ['--address', address, '--task-queue', QUEUE];
const trees = (name: string): string => scratch.path(`trees-${name}`);

type Program = ReturnType<Scratch['thermidorWith']>;

function host(name: string, ...queues: string[]): Program {
  const env = { HOME: scratch.path(`home-${name}`), THERMIDOR_WORKTREES: trees(name) };
  return scratch.thermidorWith(env, 'worker', '--queues', queues.join(','), ...on());
}

/** Leaves of the library, and two files that depend on one of them each. */
const FILES = [
  ...['basename', 'getLimit', 'decodeText', 'Decoder', 'parseParams'].map((name) => `lib/utils/${name}.js`),
  ...['dicer/lib/PartStream', 'dicer/lib/HeaderParser', 'streamsearch/sbmh'].map((name) => `deps/${name}.js`),
];

interface Team {
  place: LabFolder;
  bare: string;
  first: Program;
  run: string;
  isolation: Isolation;
}

/** Engineers of the first host are at work, and something of the team has landed. */
async function atWork(isolation: Isolation): Promise<Team> {
  const bare = scratch.path('origin.git');
  const place = writeTeam(scratch, LIBRARIES.busboy, {
    engineers: 2,
    files: FILES,
    latencyMs: [3000, 6000],
    repo: `file://${bare}`,
    queue: 'work',
    isolation,
  });
  git(scratch.path('.'), 'init', '-q', '--bare', '-b', 'main', bare);
  git(bare, 'config', 'core.logAllRefUpdates', 'always');
  git(place.repository, 'push', '-q', bare, 'main');
  host('queue', 'default');
  const first = host('a', 'work');
  const run = await startDetached(scratch, PIPELINE, ...on());
  await until('a third task has begun on the first host', () => begunIn(place, trees('a')).length >= 3, MOST_MS);
  return { place, bare, first, run, isolation };
}

function begunIn(place: LabFolder, folder: string): string[] {
  return place.diary().flatMap(({ event, cwd, task }) => (event === 'begun' && cwd.startsWith(folder) ? [task] : []));
}

async function judged({ place, bare, run, isolation }: Team): Promise<void> {
  await untilStatus(scratch, run, 'it ended', ({ state }) => state !== 'running' && state !== 'waiting');
  expect(begunIn(place, trees('b')).length).toBeGreaterThan(0);
  const entries = await journal(scratch, run);
  expect(entries.some((entry) => entry.kind === 'worktree' && entry.event === 'moved')).toBe(true);
  expect(judgeTeam(evidenceOf({ ...place, repository: bare }, entries, trees('b')), isolation)).toEqual([]);
}

test.each(['worktree', 'shared'] as const)(
  'one dies for good in mid-task: the other goes on from what was pushed last, and the team is done: %s',
  async (isolation) => {
    const team = await atWork(isolation);
    host('b', 'work');
    await team.first.kill();
    await judged(team);
  },
  MOST_MS,
);

test(
  'one that was only stopped, and comes back when all is done, moves nothing',
  async () => {
    const team = await atWork('worktree');
    team.first.signal('SIGSTOP');
    host('b', 'work');
    await judged(team);
    const refs = () => git(team.bare, 'for-each-ref', '--format=%(refname) %(objectname)');
    const before = refs();
    team.first.signal('SIGCONT');
    await team.first.until('it has found that a worktree is not its own', () => team.first.err.includes('another host has taken over'));
    expect(refs()).toBe(before);
  },
  MOST_MS,
);
