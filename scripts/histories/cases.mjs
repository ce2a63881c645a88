// What is recorded. A case: a pipeline of the project or one given here, the script that answers for agents, how people and
// operators act (`drive`), and how the run ends. Cases are never changed once their history is recorded.
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
  { name: '001-main-job', pipeline: MAIN_JOB, script: 'daily-quant', drive: approve, ends: 'COMPLETED' },
  {
    name: '002-main-job-signals',
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
    name: '003-block-passed',
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
    name: '004-rejected',
    pipeline: MAIN_JOB,
    script: 'daily-quant-rejected',
    async drive(run) {
      await run.gate('approve');
      await run.signal('reject', { by: 'chairman', comment: 'not now' });
    },
    ends: 'COMPLETED',
  },
  { name: '005-missing-fields', pipeline: MAIN_JOB, script: 'daily-quant-missing-fields', drive: approve, ends: 'COMPLETED' },
  { name: '006-api-down', pipeline: MAIN_JOB, script: 'daily-quant-api-down', ends: 'FAILED' },
  { name: '007-revise-bull', pipeline: MAIN_JOB, script: 'daily-quant-revise-bull', drive: approve, ends: 'COMPLETED' },
  {
    name: '008-revisions-used-up',
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
    name: '009-cancelled-in-a-step',
    pipeline: MAIN_JOB,
    script: 'daily-quant-hanging',
    async drive(run) {
      await run.step('structure', 'running');
      await run.cancel();
    },
    ends: 'CANCELLED',
  },
  {
    name: '010-cancelled-in-a-gate',
    pipeline: MAIN_JOB,
    script: 'daily-quant',
    async drive(run) {
      await run.gate('approve');
      await run.cancel();
    },
    ends: 'CANCELLED',
  },
  {
    name: '011-sequence-operators',
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
    name: '012-aborted',
    pipeline: { name: 'sequence', source: SEQUENCE },
    async drive(run) {
      await run.step('flaky', 'held');
      await run.signal('abort', { reason: 'enough' });
    },
    ends: 'FAILED',
  },
  {
    name: '013-graph',
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
    name: '014-continue-as-new',
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
];
