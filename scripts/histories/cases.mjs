// The recorded cases. A case: what a change of the workflows would break (`guards`), a pipeline, the script that answers for agents, how
// people and operators act (`drive`), and how the run ends. Cases are never changed once their history is recorded.
import { BRIEF_CASES } from './briefs.mjs';
import { BUDGET_CASES } from './budgets.mjs';
import { CEO_CASES } from './ceo.mjs';
import { CONTAINER_CASES } from './containers.mjs';
import { LARGE_CASES } from './large.mjs';
import { PATTERN_CASES } from './patterns.mjs';
import { PEOPLE_CASES } from './people.mjs';
import { QUEUE_CASES } from './queues.mjs';
import { REVIEW_CASES } from './reviews.mjs';
import { ROUND_CASES } from './rounds.mjs';
import { SPAWN_CASES } from './spawns.mjs';
import { TEAM_CASES } from './teams.mjs';
import { WORD_CASES } from './words.mjs';

const MAIN_JOB = 'daily_quant_pipeline';
const approve = async (run) => {
  await run.gate('approve');
  await run.update('approve', { by: 'chairman', comment: 'go' });
};

const SEQUENCE = `name: sequence
steps:
  - id: first
    run: echo first
  - id: flaky
    run: test -e mended && echo mended
    retry: {max: 2, delay: 10ms}
    on_error: hold
  - id: broken
    run: exit 3
    on_error: hold
  - id: ignored
    run: exit 4
    on_error: continue
  - id: pause
    type: wait
    wait: 20ms
  - id: told
    notify: {channel: "#news", message: "first said \${$first.stdout}"}
  - id: last
    when: failed(ignored)
    run: echo last
`;

const GRAPH = `name: graph
limits: {concurrent: 3}
steps:
  - id: a
    run: echo '{"go":true,"list":[1,2]}'
  - id: b
    depends_on: [a]
    when: a.go
    run: echo b
  - id: c
    depends_on: [a]
    when: length(a.list) > 2
    run: echo c
  - id: after_c
    depends_on: [c]
    run: echo never
  - id: sign
    type: approval
    depends_on: [a]
    approvers: [chairman]
  - id: end
    depends_on: [b, sign]
    run: echo end
output: a.list
`;

const LONG = `name: long
steps:
  - id: sign
    type: approval
${Array.from({ length: 24 }, (_, i) => `  - id: s${i + 1}\n    run: echo ${i + 1}\n${i === 0 ? '' : `    depends_on: [s${i}]\n`}`).join('')}  - id: last
    depends_on: [sign, s24]
    run: echo last
`;

export const CASES = [
  {
    name: 'main-job',
    guards: 'the main job as it mostly goes: parallel analysts, a review, an approval by update',
    pipeline: MAIN_JOB,
    script: 'daily-quant',
    drive: approve,
    ends: 'COMPLETED',
  },
  {
    name: 'main-job-signals',
    guards: 'every signal of people and operators, those that cannot be decoded or are refused among them',
    pipeline: MAIN_JOB,
    script: 'daily-quant',
    async drive(run) {
      await run.signal('approve', { step: 'nowhere' });
      await run.signal('pause', { reason: 'lunch' });
      await run.signal('unpause');
      await run.signal('message', { to: 'quant_strategist', content: 'mind the CPI print' });
      await run.gate('approve');
      await run.undecodableSignal('approve');
      await run.signal('dance', [1]);
      await run.refusedUpdate('approve', { step: 'converge' });
      await run.signal('approve', 'looks good');
    },
    ends: 'COMPLETED',
  },
  {
    name: 'block-passed',
    guards: 'a blocked review that a person lets pass',
    pipeline: MAIN_JOB,
    script: 'daily-quant-block-passed',
    async drive(run) {
      await run.gate('review');
      await run.update('approve', { by: 'chairman', comment: 'exception' });
      await approve(run);
    },
    ends: 'COMPLETED',
  },
  {
    name: 'rejected',
    guards: 'an approval that is rejected ends the run as rejected',
    pipeline: MAIN_JOB,
    script: 'daily-quant-rejected',
    async drive(run) {
      await run.gate('approve');
      await run.signal('reject', { by: 'chairman', comment: 'not now' });
    },
    ends: 'COMPLETED',
  },
  {
    name: 'missing-fields',
    guards: 'a report with missing fields is asked for again, then made by a fresh agent',
    pipeline: MAIN_JOB,
    script: 'daily-quant-missing-fields',
    drive: approve,
    ends: 'COMPLETED',
  },
  {
    name: 'api-down',
    guards: 'a model that is down fails the run after its retries',
    pipeline: MAIN_JOB,
    script: 'daily-quant-api-down',
    ends: 'FAILED',
  },
  {
    name: 'revise-bull',
    guards: 'a review sends one branch back, and only what depends on it runs again',
    pipeline: MAIN_JOB,
    script: 'daily-quant-revise-bull',
    drive: approve,
    ends: 'COMPLETED',
  },
  {
    name: 'revisions-used-up',
    guards: 'revisions that are used up are a question to a person',
    pipeline: MAIN_JOB,
    script: 'daily-quant-revisions-used-up',
    async drive(run) {
      await run.gate('review#4');
      await run.update('respond', { step: 'review#4', response: 'revise', comment: 'once more', by: 'chairman' });
      await run.gate('review#5');
      await run.update('approve', { by: 'chairman' });
      await approve(run);
    },
    ends: 'COMPLETED',
  },
  {
    name: 'cancelled-in-a-step',
    guards: 'a cancellation while an agent is at work',
    pipeline: MAIN_JOB,
    script: 'daily-quant-hanging',
    async drive(run) {
      await run.step('structure', 'running');
      await run.cancel();
    },
    ends: 'CANCELLED',
  },
  {
    name: 'cancelled-in-a-gate',
    guards: 'a cancellation while a person is asked',
    pipeline: MAIN_JOB,
    script: 'daily-quant',
    async drive(run) {
      await run.gate('approve');
      await run.cancel();
    },
    ends: 'CANCELLED',
  },
  {
    name: 'sequence-operators',
    guards: 'held steps, retry, skip, pause and unpause, a wait, a notification',
    pipeline: { name: 'sequence', source: SEQUENCE },
    async drive(run) {
      await run.step('flaky', 'held');
      run.write('mended');
      await run.update('retry', { step: 'flaky', by: 'operator' });
      await run.step('broken', 'held');
      await run.signal('pause', { reason: 'thinking' });
      await run.signal('skip', { step: 'broken' });
      await run.signal('unpause');
    },
    ends: 'COMPLETED',
  },
  {
    name: 'aborted',
    guards: 'an abort while a step is held',
    pipeline: { name: 'sequence', source: SEQUENCE },
    async drive(run) {
      await run.step('flaky', 'held');
      await run.signal('abort', { reason: 'enough' });
    },
    ends: 'FAILED',
  },
  {
    name: 'graph',
    guards: 'graph order with conditions, a limit of concurrency and an approver who is not allowed',
    pipeline: { name: 'graph', source: GRAPH },
    async drive(run) {
      await run.gate('sign');
      await run.refusedUpdate('approve', { by: 'intern' });
      await run.step('b', 'done');
      await run.update('approve', { by: 'chairman' });
    },
    ends: 'COMPLETED',
  },
  {
    name: 'continue-as-new',
    guards: 'a run that continues as new with a gate open',
    eventsLimit: 60,
    pipeline: { name: 'long', source: LONG },
    async drive(run) {
      await run.step('s24', 'done');
      await run.update('approve', { by: 'chairman' });
    },
    ends: 'COMPLETED',
  },
  ...CONTAINER_CASES,
  ...BUDGET_CASES,
  ...PEOPLE_CASES,
  ...REVIEW_CASES,
  ...ROUND_CASES,
  ...LARGE_CASES,
  ...SPAWN_CASES,
  ...WORD_CASES,
  ...CEO_CASES,
  ...QUEUE_CASES,
  ...TEAM_CASES,
  ...PATTERN_CASES,
  ...BRIEF_CASES,
];
