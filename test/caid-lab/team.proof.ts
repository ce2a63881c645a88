import { existsSync } from 'node:fs';
import { LIBRARIES, type Library } from '../../bench/caid/library';
import type { TeamWord } from '../../plan/run/journal';
import { journal } from '../durability/support/runs';
import { Scratch, SET_UP_MS } from '../durability/support/scratch';
import { happened, MERGING, mortalGit } from './disturb';
import { evidenceOf, judgeTeam, PIPELINE, type TeamOptions, writeTeam } from './team-run';

/**
 * Tests that take too long for every day: `npm run prove-team`, an hour on two cores. Each line is a run on a real server over a whole
 * library, which is judged afterwards; with `-t` a part of them.
 */
let scratch: Scratch;

beforeEach(async () => {
  scratch = await Scratch.make();
  await scratch.keepServer();
}, SET_UP_MS);
afterEach(() => scratch.close());

const RUN = 'proof';
const MOST_MS = 1_800_000;

const work = (env: NodeJS.ProcessEnv, ...args: string[]) =>
  scratch.thermidorWith({ THERMIDOR_WORKTREES: scratch.path('trees'), ...env }, ...args);

/** `disturb` is what happens to the worker meanwhile; it returns the program that works at the end. */
async function prove(
  library: Library,
  options: TeamOptions,
  disturb = async (first: ReturnType<typeof work>) => first,
  env: NodeJS.ProcessEnv = {},
): Promise<void> {
  const place = writeTeam(scratch, library, options);
  const program = await disturb(work(env, 'run', PIPELINE, '--id', RUN));
  await program.endsWith(0);
  expect(judgeTeam(evidenceOf(place, await journal(scratch, RUN), scratch.path('trees')), options.isolation)).toEqual([]);
}

describe.each(Object.values(LIBRARIES))('$name', (library) => {
  test.each([1, 2, 4, 8])('%i engineers restore it', (engineers) => prove(library, { engineers, latencyMs: [50, 500] }), MOST_MS);
});

/** One candidate is sent back. */
const FAULTY: TeamOptions = { engineers: 4, latencyMs: [50, 500], faults: [{ task: 'lib-utils-basename', fault: 'wrong' }] };

test('four engineers restore it in one checkout', () => prove(LIBRARIES.busboy, { ...FAULTY, isolation: 'shared' }), MOST_MS);

/** Each of these occurs in every run of this lab. */
const EVENTS = ['divided', 'prepared', 'assigned', 'submitted', 'returned', 'merged', 'over'] as const satisfies readonly TeamWord[];

test.each(EVENTS)(
  'kill -9 of the server when a task, or the team, is %s',
  async (event) => {
    await prove(LIBRARIES.busboy, FAULTY, async (program) => {
      await happened(scratch, RUN, event, MOST_MS);
      await scratch.killServer();
      return program;
    });
  },
  MOST_MS,
);

test.each(MERGING)(
  'kill -9 of git in mid-merge: the first %s dies',
  async (verb) => {
    const { env, died } = mortalGit(scratch, verb);
    await prove(LIBRARIES.busboy, FAULTY, async (program) => program, env);
    expect(existsSync(died)).toBe(true);
  },
  MOST_MS,
);

test.each(EVENTS)(
  'kill -9 of the worker when a task, or the team, is %s',
  async (event) => {
    await prove(LIBRARIES.busboy, FAULTY, async (first) => {
      await happened(scratch, RUN, event, MOST_MS);
      await first.kill();
      return work({}, 'watch', RUN);
    });
  },
  MOST_MS,
);
