import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { scriptBeside } from '../../worker/script-files';
import { MESSAGES } from '../support/messages-server/dialect';
import { replyFromScript } from '../support/model-server/from-script';
import { inSweep } from '../support/sweep';
import { keptLiveScratch } from './agents/service';
import { runOf, step, timesRequested, untilStatus } from './support/runs';

/** A task file, run from the command line. Its worker is killed while the agents of each phase answer. */
const TASK = `name: task
owner: lead
cwd: repo
agents: {lead: {role: Leads.}, p: {role: Plans.}, e: {role: Does.}, t: {role: Tests.}, x: {role: Knows.}}
task: Store passwords safely.
select: {task_type: feature, complexity: high, risk: high, team_size: 4, has_expert: true}
roles: {coordinator: lead, planner: p, executor: e, tester: t, expert: x}
test: echo tested >> "$TESTED"
post_mortem: {when: always, by: [e, t]}
`;

const PASS = '[{json: {verdict: pass, score: 90, issues: []}}]';
const VOTE = '[{json: {vote: APPROVE, rationale: It is sound.}}]';
const FOUND = '[{json: {went_well: [the plan], difficult: [], suggestions: [], patterns: []}}]';
const SCRIPT = `replies:
  work_advise_consultant: [{json: {recommendation: argon2id, rationale: It is memory-hard., confidence: 0.9}}]
  work_plan: [{json: {tasks: [{id: a, title: A}, {id: b, title: B, depends_on: [a]}], summary: two}}]
  work_plan_ok: ${PASS}
  work_decide_p: ${VOTE}
  work_decide_e: ${VOTE}
  work_decide_t: ${VOTE}
  work_impl_executor: [{json: {summary: done, findings: [], artifacts: []}}]
  work_impl_validator: ${PASS}
  post_mortem_e: ${FOUND}
  post_mortem_t: ${FOUND}
`;

/** For each phase, the agents that are asked at the same time. */
const PHASES = [
  ['work_advise_consultant#1'],
  ['work_plan#1'],
  ['work_plan_ok#1'],
  ['work_decide_p#1', 'work_decide_e#1', 'work_decide_t#1'],
  ['work_impl_executor#1'],
  ['work_impl_validator#1'],
  ['post_mortem_e#1', 'post_mortem_t#1'],
];

inSweep.describe('a coordinated task', () => {
  const live = keptLiveScratch();

  it('whose worker is killed in each phase comes to the same, and nothing is paid for twice', async () => {
    const { scratch } = live();
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@localhost', ...args], { cwd: scratch.path('repo') });
    scratch.write('task.yaml', TASK.replace('$TESTED', scratch.path('tested.txt')));
    scratch.write('scripts/task.yaml', SCRIPT);
    mkdirSync(scratch.path('repo'));
    git('init', '-q', '-b', 'main');
    git('commit', '-q', '--allow-empty', '-m', 'begin');
    const reply = replyFromScript(scriptBeside(scratch.path('task.yaml'), 'task').script, MESSAGES.voice);
    const silent = PHASES.flat();
    const awaited = new Set<string>();
    live().serve((request) => {
      const one = silent.find((key) => request.idempotencyKey.includes(`/${key}`));
      if (one === undefined || awaited.has(one)) return reply(request);
      awaited.add(one);
      return { kind: 'silence' };
    });
    let worker = scratch.thermidor('coordinate', 'task.yaml', '--live');
    const run = await runOf(worker);
    for (const phase of PHASES) {
      await worker.until(`${phase.join(', ')} are asked`, () => phase.every((one) => awaited.has(one)));
      await worker.kill();
      worker = scratch.thermidor('watch', run);
    }
    expect(await worker.finished).toMatchObject({ code: 0 });
    const view = await untilStatus(scratch, run, 'it ended', ({ state }) => state === 'completed');
    expect(step(view, 'work_impl').delivery).toMatchObject({ completed: 2, total_increments: 2 });

    // The requests in flight when the worker died are made once more, under the same key, and all others once.
    const asked = timesRequested(scratch, run);
    const repeated = Object.keys(asked).filter((key) => asked[key] !== 1);
    expect(repeated.map((key) => silent.find((one) => `/${key}`.includes(`/${one}`))).sort()).toEqual([...silent].sort());
    expect(repeated.map((key) => asked[key])).toEqual(silent.map(() => 2));
    expect(Object.keys(asked)).toHaveLength(12);
  });
});
