import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { scriptBeside } from '../../worker/script-files';
import { type Played, playShipped } from '../patterns/shipped-play';
import { MESSAGES } from '../support/messages-server/dialect';
import { replyFromScript } from '../support/model-server/from-script';
import { inSweep } from '../support/sweep';
import { keptLiveScratch } from './agents/service';
import { runOf, step, timesRequested, untilStatus } from './support/runs';

/**
 * Shipped combinations of patterns on a real server. Their worker is killed while an agent of each phase answers: nothing is paid for
 * twice, and the result is the same.
 */
interface Combination {
  pipeline: string;
  args: Record<string, string>;
  /** For each phase, the agents that are asked at the same time, as parts of their requests' keys. */
  phases: string[][];
  /** Steps that run the tests of the repository. */
  tested: string[];
  /** Whether it has a post-mortem in the end. */
  learns?: true;
  /** Tests fail until this agent has answered. */
  mends?: string;
  /** The entry without kills, if it differs. */
  stands?: Record<string, unknown>;
  /** The folder of a repository that it is to change. */
  repository?: string;
  /** A gate that a person answers. */
  gate?: string;
}

const STANDARD: Combination = {
  pipeline: 'standard-development',
  args: { task: 'Retry uploads that time out' },
  phases: [
    ...[['plan#1'], ['impl#1'], ['code_review#1'], ['impl#2'], ['report#1']],
    ['post_mortem_planner#1', 'post_mortem_executor#1', 'post_mortem_tester#1'],
  ],
  tested: ['tests'],
  learns: true,
};
const OTHERS: Combination[] = [
  {
    pipeline: 'parallel-development',
    args: { task: 'An API for uploads' },
    phases: [
      ...[['dual_api#1', 'dual_scaffold#1'], ['dual_contract#1'], ['dual_detail#1', 'dual_core#1']],
      ...[
        ['spec#1', 'code#1'],
        ['spec_review#1', 'code_review#1'],
      ],
      ['post_mortem_planner#1', 'post_mortem_executor#1', 'post_mortem_tester#1'],
    ],
    tested: ['dual_integration', 'integrated'],
    learns: true,
  },
  {
    pipeline: 'expert-guided',
    args: { task: 'Store passwords', question: 'Which hash do we use?' },
    phases: [
      ['advise_consultant#1'],
      ['settle_planner#1', 'settle_executor#1', 'settle_tester#1'],
      ['plan#1'],
      ['impl#1'],
      ['code_review#1'],
    ],
    tested: ['tests'],
  },
  {
    pipeline: 'complex-investigation',
    args: { problem: 'Uploads hang at night' },
    phases: [
      ['design#1', 'code#1', 'environment#1'],
      ['agree_planner#1', 'agree_executor#1', 'agree_tester#1'],
      ['mend#1'],
      ['mob_planner#1', 'mob_executor#1', 'mob_tester#1'],
      ['mob_fix_executor#1'],
      ['report#1'],
    ],
    // The state before the fixes is inspected in parallel to the diagnoses, and again if the worker dies meanwhile.
    tested: [],
    mends: 'mob_fix_executor#1',
    stands: {
      commands: {
        solved: [{ round: 1, exit_code: 1, stderr: 'it hangs' }, { stdout: 'well' }],
        mob_verify: [{ iteration: 1, exit_code: 1, stderr: 'it hangs' }, { stdout: 'well' }],
        mob_files: { stdout: '' },
      },
    },
  },
  {
    pipeline: 'high-risk-feature',
    args: { task: 'Move payments to the new provider', repo: 'shop', syntax: 'true' },
    phases: [
      ['plan#1'],
      ['decide_executor#1', 'decide_tester#1', 'decide_coordinator#1'],
      ['deliver_executor#1'],
      ['deliver_validator#1'],
      ['whole_review#1'],
    ],
    tested: ['deliver_no_regression', 'deliver_final'],
    repository: 'shop',
    gate: 'accept',
  },
];

const live = keptLiveScratch();

async function killedInEach(combination: Combination, phases: readonly string[][]): Promise<void> {
  const { pipeline, args, tested, learns, mends, stands, repository, gate } = combination;
  const { scratch } = live();
  const file = `pipelines/${pipeline}.yaml`;
  const reply = replyFromScript(scriptBeside(scratch.path(file), pipeline).script, MESSAGES.voice);
  const silent = phases.flat();
  const green = scratch.path(`${pipeline}.green`);
  const awaited = new Set<string>();
  live().serve((request) => {
    const one = silent.find((key) => request.idempotencyKey.includes(`/${key}`));
    if (one === undefined || awaited.has(one)) {
      if (mends !== undefined && request.idempotencyKey.includes(`/${mends}`)) writeFileSync(green, '');
      return reply(request);
    }
    awaited.add(one);
    return { kind: 'silence' };
  });
  // Files that another run has left.
  for (const name of [`${pipeline}.txt`, 'team.md']) rmSync(scratch.path(name), { force: true });
  if (repository !== undefined) makeRepository(scratch.path(repository));
  if (mends === undefined) writeFileSync(green, '');
  const test = `echo tested >> ${scratch.path(`${pipeline}.txt`)}; test -f ${green} && printf "1..1\\nok 1 - it works\\n"`;
  const given = Object.entries({ ...args, test }).flatMap(([name, value]) => ['--arg', `${name}=${value}`]);
  let worker = scratch.thermidor('run', file, '--live', ...given);
  const run = await runOf(worker);
  for (const phase of phases) {
    await worker.until(`${phase.join(', ')} are asked`, () => phase.every((one) => awaited.has(one)));
    await worker.kill();
    worker = scratch.thermidor('watch', run);
  }
  if (gate !== undefined) {
    await untilStatus(scratch, run, 'it asks', (view) => step(view, gate).state === 'waiting');
    expect(await scratch.ask('approve', run, gate, '--by', 'ann')).toMatchObject({ code: 0 });
  }
  expect(await worker.finished).toMatchObject({ code: 0 });
  await untilStatus(scratch, run, 'it ended', ({ state }) => state === 'completed');

  const asked = timesRequested(scratch, run);
  const repeated = Object.keys(asked).filter((key) => asked[key] !== 1);
  expect(repeated.map((key) => silent.find((one) => `/${key}`.includes(`/${one}`))).sort()).toEqual([...silent].sort());
  expect(repeated.map((key) => asked[key])).toEqual(silent.map(() => 2));
  const undisturbed = await playShipped(pipeline, stands);
  expect(answersOf(asked)).toEqual(answersIn(undisturbed));
  if (tested.length > 0)
    expect(scratch.lines(`${pipeline}.txt`)).toHaveLength(tested.reduce((sum, step) => sum + undisturbed.calls(step), 0));
  if (repository !== undefined) expect(readdirSync(scratch.path(`${repository}/src`))).toEqual(['client.js', 'shop.js']);
  if (learns) expect(readFileSync(scratch.path('team.md'), 'utf8')).toContain(run);
}

/** A repository with one commit. */
function makeRepository(at: string): void {
  mkdirSync(at);
  const git = (...args: string[]) => execFileSync('git', ['-c', 'user.name=ann', '-c', 'user.email=ann@example.com', ...args], { cwd: at });
  git('init', '-q', '-b', 'main');
  git('commit', '-q', '--allow-empty', '-m', 'begin');
}

/** The number of questions to each agent's step, by its id; a question that was repeated counts once. */
function answersOf(asked: Record<string, number>): Record<string, number> {
  const counted: Record<string, number> = {};
  for (const key of Object.keys(asked)) {
    const id = /([^/]+)#[^/]*\/\d+$/.exec(key)?.[1] ?? key;
    counted[id] = (counted[id] ?? 0) + 1;
  }
  return counted;
}

function answersIn({ steps }: Played): Record<string, number> {
  const counted: Record<string, number> = {};
  for (const { path, calls } of steps.values()) {
    const id = path.split('/').at(-1) ?? path;
    const asked = calls.filter(({ kind }) => kind === 'agent').length;
    if (asked > 0) counted[id] = (counted[id] ?? 0) + asked;
  }
  return counted;
}

inSweep.test(
  'CP-1 · worker killed · standard development, killed in its review: nothing is paid for twice, and the result is the same',
  async () => {
    await killedInEach(STANDARD, [['code_review#1']]);
  },
);

inSweep.describe('killed once in each phase', () => {
  it.each([STANDARD, ...OTHERS].map((one) => [one.pipeline, one] as const))('%s', async (_, one) => {
    await killedInEach(one, one.phases);
  });
});
