import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { QueryNotRegisteredError, ServiceError, type WorkflowHandle } from '@temporalio/client';
import type { JournalView } from '../../plan/run/journal';
import type { RunResult } from '../../plan/run/run-result';
import type { RunView } from '../../plan/run/status';
import { inSweep } from '../support/sweep';
import { BoundaryWorkers } from './support/boundary-workers';
import { giveBack } from './support/give-back';
import { timesRequested } from './support/runs';
import { Scratch, SET_UP_MS } from './support/scratch';
import { until } from './support/until';

/**
 * kill -9 of the worker in each state and each phase of a brief: two sub-tasks, of which a custom role does one; judges that want a retry,
 * judges that disagree, a destruction that is announced, an escalation, a reply that is repaired; a person who confirms the plan and each
 * sub-task. Each run must end as the one that nobody disturbed, and do nothing twice.
 */
const SWEEP_MS = 1_800_000;
const RUNS_OF_A_WORKER = 8;

let scratch: Scratch;
let workers: BoundaryWorkers;

beforeAll(async () => {
  scratch = await Scratch.onSharedServer();
  const roles = ['planner', 'executor', 'typist', 'reviewer', 'critic'];
  const sections = { objective: 'A site.', deliverables: ['index.html'], constraints: 'None.' };
  const brief = { project: 'site', mode: 'gated', authorized_costs: ['shell_exec'], roles, ...sections };
  scratch.write('pipelines/site.yaml', JSON.stringify({ name: 'site', steps: [{ id: 'brief', brief }], output: 'brief' }));
  writeTypist(['shell_exec']);
  scratch.write('pipelines/scripts/quick.yaml', JSON.stringify(script('')));
  scratch.write('pipelines/scripts/slow.yaml', JSON.stringify(script(`while [ ! -e '${scratch.path('go')}' ]; do sleep 0.02; done`)));
  workers = await BoundaryWorkers.in(scratch);
}, SET_UP_MS);

afterAll(() => workers.close());

function writeTypist(tool_categories: readonly string[]): void {
  const typist = { id: 'typist', description: 'Types.', prompt_overlay: 'You type.', tool_categories };
  scratch.write('pipelines/roles/typist.yaml', JSON.stringify(typist));
}

/** Each reply that has tools adds a line to `made` in the folder of its run. `then`: what its program does after that. */
function script(then: string): object {
  const says = (iteration: number, json: object) => ({ iteration, json });
  const does = (iteration: number, json: object) => {
    const argv = ['sh', '-c', `echo ${iteration} >> made; ${then}`];
    return { iteration, json, calls: [{ tool: 'run', args: { argv } }] };
  };
  const executed = (subtask_id: string, output = 'Done.') => ({ kind: 'execution', subtask_id, output });
  const judged = (subtask_id: string, verdict: string) => ({ kind: 'review', subtask_id, verdict, rationale: 'I have read it.' });
  const subTask = { instruction: 'Write it.', acceptance_criteria: ['It is there'] };
  const subtasks = [
    { id: 'page', title: 'The page', ...subTask },
    { id: 'text', title: 'The text', role: 'typist', depends_on: ['page'], ...subTask },
  ];
  const blocked = { kind: 'escalation', severity: 'error', role: 'typist', reason: 'there is no text', context: 'it is in no file' };
  return {
    replies: {
      brief_planner: [says(1, { kind: 'plan', subtasks })],
      brief_executor: [does(4, executed('page', 'I will delete all files in src.')), does(6, executed('page')), does(9, executed('page'))],
      brief_typist: [does(14, blocked), does(16, executed('text'))],
      brief_reviewer: [
        ...[says(7, judged('page', 'needs_retry')), says(10, judged('page', 'pass'))],
        // The first cannot be read.
        ...[{ iteration: 17, ask: 1, text: 'It passes.' }, says(17, judged('text', 'pass'))],
      ],
      brief_critic: [says(8, judged('page', 'needs_retry')), says(11, judged('page', 'fail')), says(18, judged('text', 'pass'))],
    },
  };
}

interface Outcome {
  status: string;
  report: string | undefined;
  /** States and phases, in order. */
  entered: string[];
  requests: Record<string, number>;
  made: string[];
}

async function outcomeOf(run: WorkflowHandle): Promise<Outcome> {
  const { status, artifacts } = (await run.result()) as RunResult;
  const { entries } = await run.query<JournalView>('journal');
  const entered = entries.flatMap((entry) =>
    entry.kind === 'brief' && entry.event === 'entered' ? [`${entry.state} ${entry.phase}`] : [],
  );
  const { workflowId } = run;
  return { status, report: artifacts['brief']?.sha256, entered, requests: timesRequested(scratch, workflowId), made: madeIn(workflowId) };
}

/** The lines that programs of a run have written, in order. */
function madeIn(run: string): string[] {
  const folder = join('.thermidor', 'work', run);
  const [file] = existsSync(scratch.path(folder))
    ? readdirSync(scratch.path(folder), { recursive: true, encoding: 'utf8' }).filter((name) => basename(name) === 'made')
    : [];
  return file === undefined ? [] : scratch.lines(join(folder, file));
}

const GATES: readonly [step: string, response: string][] = [
  ['brief[2]/brief_confirm', 'confirm'],
  ['brief[3]/brief_confirm', 'confirm'],
  ['brief[5]/brief_operator', 'retry'],
  ['brief[12]/brief_operator', 'pass'],
  ['brief[13]/brief_confirm', 'confirm'],
  ['brief[15]/brief_operator', 'retry'],
];
const REQUESTS = Object.fromEntries(
  ['[1]/brief_planner', '[4]/brief_executor', '[6]/brief_executor', '[7]/brief_reviewer', '[8]/brief_critic', '[9]/brief_executor']
    .concat(['[10]/brief_reviewer', '[11]/brief_critic', '[14]/brief_typist', '[16]/brief_typist', '[17]/brief_reviewer'])
    .concat(['[18]/brief_critic'])
    .map((call) => `brief${call}#1~1/1`)
    .concat(['brief[17]/brief_reviewer#1~1/2'])
    .map((request) => [request, 1]),
);
const UNDISTURBED = {
  status: 'completed',
  entered: [
    ...['init 0', 'plan 1', 'dispatch 0', 'execute 1', 'block 3', 'retry 1', 'execute 1', 'review_step 1', 'retry 1'],
    ...['execute 1', 'review_step 1', 'block 2', 'next_subtask 1', 'dispatch 0', 'execute 1', 'escalate 2', 'retry 1'],
    ...['execute 1', 'review_step 1', 'next_subtask 1', 'complete 4'],
  ],
  requests: REQUESTS,
  made: ['4', '6', '9', '14', '16'],
};

/** Gates that are open; none while nobody can say. */
async function gatesOf(run: WorkflowHandle): Promise<string[]> {
  try {
    return (await run.query<RunView>('status')).gates.map(({ step }) => step);
  } catch (error) {
    if (error instanceof ServiceError || error instanceof QueryNotRegisteredError) return [];
    throw error;
  }
}

const untilAsked = (run: WorkflowHandle, step: string) =>
  until(`${run.workflowId} asks at ${step}`, async () => (await gatesOf(run)).includes(step), SWEEP_MS);

/** A person answers each question once, also if its worker dies. */
async function answer(run: WorkflowHandle, gates: typeof GATES): Promise<void> {
  for (const [step, response] of gates) {
    await untilAsked(run, step);
    await run.signal('respond', { step, response, by: 'ann' });
  }
}

const start = (workflowId: string, taskQueue: string, script: string): Promise<WorkflowHandle> =>
  workers.client.temporal.workflow.start('site', { workflowId, taskQueue, args: [{ script }] });

inSweep.test(
  'workers die while people are asked and while a role replies, and a role is edited: nothing is done twice, or otherwise',
  async () => {
    const run = await start('some', 'some', 'slow');
    const killed = async ({ child, died }: Awaited<ReturnType<typeof workers.start>>) => {
      child.kill('SIGKILL');
      await died;
      await giveBack(workers.client, [run], 'some', `${child.pid}@some`);
    };
    const first = await workers.start({ queue: 'some' });
    await untilAsked(run, 'brief[2]/brief_confirm');
    await killed(first);
    // What the run has of the role is in its plan: with this, its program would halt it.
    writeTypist([]);
    await run.signal('respond', { step: 'brief[2]/brief_confirm', response: 'confirm', by: 'ann' });
    const second = await workers.start({ queue: 'some' });
    await answer(run, GATES.slice(1, 2));
    await until('the executor is at work', () => madeIn('some').length === 1);
    await killed(second);
    scratch.write('go', '');
    const third = await workers.start({ queue: 'some' });
    await answer(run, GATES.slice(2, 3));
    await untilAsked(run, 'brief[12]/brief_operator');
    await killed(third);
    await workers.start({ queue: 'some' });
    await answer(run, GATES.slice(3));
    // Only the reply that was being made is asked for again. What its program had done is not done again.
    const requests = { ...REQUESTS, 'brief[4]/brief_executor#1~1/1': 2 };
    expect(await outcomeOf(run)).toMatchObject({ ...UNDISTURBED, requests });
    writeTypist(['shell_exec']);
  },
  SET_UP_MS,
);

inSweep.test(
  'a worker that dies at any boundary of any activity changes nothing',
  async () => {
    const log = scratch.path('boundaries');
    const { child: heir } = await workers.start({ queue: 'untouched', log });
    const untouched = await start('untouched', 'untouched', 'quick');
    await answer(untouched, GATES);
    const expected = await outcomeOf(untouched);
    expect(expected).toMatchObject(UNDISTURBED);
    const boundaries = [...new Set(scratch.lines('boundaries'))];
    const replies = Object.keys(REQUESTS).map((request) => request.slice(0, request.lastIndexOf('/')));
    expect(boundaries).toEqual(expect.arrayContaining(replies.flatMap((reply) => [`before agent ${reply}`, `after agent ${reply}`])));

    async function killedAt(some: readonly string[], nth: number): Promise<[string, Outcome][]> {
      const queue = `killed-${nth}`;
      const ids = some.map((_, i) => `killed-${nth}-${i}`);
      const { child, died } = await workers.start({ queue, boundaries: Object.fromEntries(ids.map((id, i) => [id, some[i] ?? ''])) });
      const runs = await Promise.all(ids.map((id) => start(id, queue, 'quick')));
      const answering = Promise.all(runs.map((run) => answer(run, GATES)));
      // A failure shows below.
      answering.catch(() => undefined);
      expect(await died).toBe('SIGKILL');
      await giveBack(workers.client, runs, queue, `${child.pid}@${queue}`);
      await workers.take(heir, queue);
      await answering;
      return Promise.all(runs.map(async (run, i): Promise<[string, Outcome]> => [some[i] ?? '', await outcomeOf(run)]));
    }

    const ended: [string, Outcome][] = [];
    for (let nth = 0; nth * RUNS_OF_A_WORKER < boundaries.length; nth++) {
      ended.push(...(await killedAt(boundaries.slice(nth * RUNS_OF_A_WORKER, (nth + 1) * RUNS_OF_A_WORKER), nth)));
    }
    expect(ended).toEqual(boundaries.map((boundary) => [boundary, expected]));
  },
  SWEEP_MS,
);
