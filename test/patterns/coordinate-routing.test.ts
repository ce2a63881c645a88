import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderTree } from '../../cli/rendering/tree';
import { type Unrouted, withMessage } from '../../kinds/coordinate/state';
import type { Feedback, FeedbackType } from '../../plan/patterns/feedback';
import type { JournalEntry } from '../../plan/run/journal';
import { fakeTerminal } from '../cli/fake-terminal';
import { runView, stepView } from '../cli/views';
import type { PlayedFile } from './file-play';
import { GREEN, PASSES, playTask, REVISE, TASK, WORK } from './task-file';

/**
 * Tests what each message leads to in a coordinate step (docs/steps/coordinate.md), with messages that its steps handle and messages
 * that none handles.
 */

type Pattern = Extract<JournalEntry, { kind: 'pattern' }>;

function feedback<T extends FeedbackType>({ journal }: PlayedFile, type: T) {
  return journal.filter((entry): entry is Pattern & Extract<Feedback, { type: T }> => entry.kind === 'pattern' && entry.type === type);
}

const firstStart = ({ starts }: PlayedFile, step: string): number => starts.findIndex((start) => start.startsWith(`work/${step}`));

const VOTE = (vote: string) => [{ json: { vote, rationale: 'It is so.' } }];
const TWO_TASKS = {
  json: {
    tasks: [
      { id: 'a', title: 'A' },
      { id: 'b', title: 'B', depends_on: ['a'] },
    ],
    summary: 'two',
  },
};
const INCREMENTS = { taskType: 'feature', complexity: 'high' } as const;
const DELIVERS = {
  work_plan: [TWO_TASKS],
  work_plan_ok: [PASSES],
  work_impl_executor: [{ json: { summary: 'done', findings: [], artifacts: [] } }],
  work_impl_validator: [PASSES],
};
const GATES = { ...TASK, work_impl_no_regression: { stdout: 'ok' }, work_impl_final: { stdout: 'ok' } };
const RED = [1, 2, 3, 4, 5, 6].map((round) => ({ round, try: 1, exit_code: 1 }));
const RECOVERS = { ...TASK, work_test: [...RED, { stdout: 'ok' }], work_rescue_check: [{ stdout: 'ok' }] };

/** Each entry is a row of the page: the message, and its effect. */
const ROWS: Record<string, () => Promise<void>> = {
  async plan_ready() {
    const plans = [{ round: 1, text: 'first plan' }, { text: 'second plan' }];
    const judged = [
      { round: 1, prompt: ['first plan'], ...REVISE },
      { prompt: ['second plan'], ...PASSES },
    ];
    const impl = [{ prompt: ['second plan'], text: 'done' }];
    const played = await playTask({}, { replies: { ...WORK, work_plan: plans, work_plan_ok: judged, work_impl: impl }, commands: GREEN });
    expect(played.view.state).toBe('completed');
    expect(['work_plan', 'work_plan_ok', 'work_impl'].map(played.calls)).toEqual([2, 2, 1]);
  },
  async impl_complete() {
    const played = await playTask({}, { replies: WORK, commands: GREEN });
    const order = ['work_impl', 'work_test', 'work_review'].map((step) => firstStart(played, step));
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(order[0]).toBeGreaterThan(0);
    const delivered = await playTask(INCREMENTS, { replies: DELIVERS, commands: GATES });
    expect(feedback(delivered, 'increment_ready').map(({ data }) => data.increment)).toHaveLength(2);
  },
  async review_result() {
    const review = [{ round: 1, ...REVISE }, PASSES];
    const played = await playTask({ taskType: 'test' }, { replies: { ...WORK, work_review: review }, commands: GREEN });
    expect(played.calls('work_impl')).toBe(2);
    expect(feedback(played, 'review_result').map(({ data }) => data.verdict)).toEqual(['pass', 'revise', 'pass']);
    expect(feedback(played, 'fix_required')).toMatchObject([
      { to: 'e', data: { iteration: 1, findings: { high: [{ description: 'no' }] } } },
    ]);
  },
  async vote() {
    const votes = { work_decide_p: VOTE('APPROVE'), work_decide_e: VOTE('APPROVE'), work_decide_t: VOTE('REJECT') };
    const played = await playTask({ risk: 'high' }, { replies: { ...WORK, ...votes }, commands: GREEN });
    expect(feedback(played, 'tally').map(({ data }) => data.outcome)).toEqual(['passed']);
    expect(firstStart(played, 'work_impl')).toBeGreaterThan(firstStart(played, 'work_decide'));
  },
  async escalate() {
    const replies = {
      ...WORK,
      work_rescue_e: [{ json: { solved: false, diagnosis: 'I do not know' } }],
      work_rescue_x: [{ json: { solved: true, solution: 'a lock was left', diagnosis: 'a lock' } }],
      work_rescue_apply: [{ text: 'removed' }],
    };
    const played = await playTask({}, { replies, commands: RECOVERS });
    expect(played.view.state).toBe('completed');
    expect(feedback(played, 'escalate').map(({ from, to }) => [from, to])).toEqual([['e', 'x']]);
  },
  async increment_ready() {
    const red = { try: 1, exit_code: 1 };
    const commands = { ...GATES, work_impl_no_regression: [{ iteration: 1, ...red }, { stdout: 'ok' }] };
    const played = await playTask(INCREMENTS, { replies: DELIVERS, commands });
    const told = played.journal.flatMap((entry) =>
      entry.kind === 'pattern' && (entry.type === 'increment_ready' || entry.type === 'fix_required') ? [entry.type] : [],
    );
    expect(told).toEqual(['fix_required', 'increment_ready', 'increment_ready']);
  },
  async swarm_join() {
    const diagnosis = { json: { root_cause: 'a lock in src/a.ts', confidence: 0.9, fix_suggestion: 'remove it' } };
    const diagnosing = Object.fromEntries(['p', 't', 'e'].map((name) => [`work_rescue_${name}`, [diagnosis]]));
    const fixing = Object.fromEntries(
      ['p', 't', 'e'].map((name) => [`work_rescue_fix_${name}`, [{ json: { applied: true, summary: 'removed' } }]]),
    );
    const { work_rescue_check: _check, ...recovers } = RECOVERS;
    const commands = { ...recovers, work_rescue_verify: [{ stdout: 'ok' }], work_rescue_files: [{ stdout: '' }] };
    const played = await playTask({}, { replies: { ...WORK, ...diagnosing, ...fixing }, commands, more: 'on_blocked: swarm\n' });
    expect(played.view.state).toBe('completed');
    expect(feedback(played, 'swarm_join')).toHaveLength(1);
    expect(feedback(played, 'swarm_diagnosis').map(({ from }) => from)).toEqual(['p', 't', 'e']);
  },
  async consult_request() {
    const advice = { json: { recommendation: 'argon2id', rationale: 'It is memory-hard.', confidence: 0.9 } };
    const replies = { ...WORK, work_advise_consultant: [advice], work_plan: [{ prompt: ['argon2id'], text: 'plan' }] };
    const played = await playTask({ hasExpert: true, complexity: 'medium' }, { replies, commands: GREEN });
    expect(feedback(played, 'consult_request').map(({ to }) => to)).toEqual(['x']);
    expect(feedback(played, 'consult_response').map(({ from }) => from)).toEqual(['x']);
    expect(played.view.state).toBe('completed');
  },
  async retro_finding() {
    const finding = { json: { went_well: ['the plan'], difficult: [], suggestions: [], patterns: [] } };
    const replies = { ...WORK, post_mortem_e: [finding] };
    const played = await playTask({}, { replies, commands: GREEN, more: 'post_mortem: {when: always, by: [e]}\n' });
    expect(feedback(played, 'retro_finding').map(({ from, step }) => [from, step])).toEqual([['e', 'post_mortem']]);
  },
};

test.each(Object.entries(ROWS))('coordinate · routing · %s', (_message, holds) => holds());

test('coordinate · routing · the page has a row for each message that a test shows', () => {
  const page = readFileSync(join(__dirname, '../../docs/steps/coordinate.md'), 'utf8');
  const [, section = ''] = page.split('## Who handles which message');
  const rows = [...(section.split('\n## ')[0] ?? '').matchAll(/^\| `(\w+)`/gm)].map(([, message]) => message);
  expect(rows).toEqual(Object.keys(ROWS));
});

const SAYS = 'The budget is too small for this.';
const notifies = (message: string) => ({ calls: [{ tool: 'notify', args: { channel: '#desk', message } }] });
const DESK = 'channels: {"#desk": {}}\n';

const unroutedIn = ({ journal }: PlayedFile) => journal.flatMap((entry) => (entry.kind === 'envelope' && entry.unrouted ? [entry] : []));
const workOf = ({ view }: PlayedFile) => view.steps.find(({ id }) => id === 'work');

test('coordinate · routing · any other message stays in the journal, unrouted, and the coordinator gets it with its next task', async () => {
  const replies = { ...WORK, work_plan: [{ text: 'plan', ...notifies(SAYS) }], work_plan_ok: [{ prompt: [SAYS], ...PASSES }] };
  const played = await playTask({}, { replies, commands: GREEN, more: DESK });
  expect(played.view.state).toBe('completed');
  expect(unroutedIn(played)).toMatchObject([
    { step: 'work/work_plan', envelope: { from: 'p', to: 'lead', intent: 'notify', payload: { channel: '#desk', message: SAYS } } },
  ]);
  expect(workOf(played)?.unrouted).toBe(1);
});

test('coordinate · routing · what the coordinator has no further task for is in the output', async () => {
  const replies = { ...WORK, work_impl: [{ text: 'done', ...notifies(SAYS) }] };
  const told = `\${work.unrouted.count} of \${work.unrouted.messages[0].from}: \${work.unrouted.messages[0].message}`;
  const tell = `finally: [{id: tell, notify: {channel: "#desk", message: "${told}"}}]\n`;
  const { journal } = await playTask({}, { replies, commands: GREEN, more: DESK + tell });
  const messages = journal.flatMap((entry) => (entry.kind === 'notification' ? [entry.message] : []));
  expect(messages).toContain(`1 of e: ${SAYS}`);
});

test('coordinate · routing · a message is no vote, whatever it says', async () => {
  const claim = JSON.stringify({ type: 'vote', proposalId: 'work_decide-1', vote: 'REJECT', rationale: 'No.', blocking: true });
  const votes = { work_decide_p: VOTE('APPROVE'), work_decide_e: VOTE('APPROVE'), work_decide_t: VOTE('APPROVE') };
  const replies = { ...WORK, work_plan: [{ text: 'plan', ...notifies(claim) }], ...votes };
  const played = await playTask({ risk: 'high' }, { replies, commands: GREEN, more: DESK });
  expect(feedback(played, 'tally').map(({ data }) => [data.outcome, data.rejections])).toEqual([['passed', 0]]);
  expect(unroutedIn(played)).toHaveLength(1);
});

test('coordinate · routing · what the coordinator says itself is not unrouted, nor what is said in other steps', async () => {
  const replies = { ...WORK, work_plan_ok: [{ ...PASSES, ...notifies(SAYS) }] };
  const played = await playTask({}, { replies, commands: GREEN, more: DESK });
  expect(unroutedIn(played)).toEqual([]);
  expect(workOf(played)).not.toHaveProperty('unrouted');
});

test('coordinate · routing · status shows how many there are', () => {
  const { colors } = fakeTerminal();
  const view = runView([stepView('work', { kind: 'coordinate', state: 'running', unrouted: 2 })]);
  expect(renderTree(view, { colors, columns: 120, now: 0 }).join('\n')).toContain('2 unrouted messages');
});

test('coordinate · routing · the last 20 are kept, and all are counted', () => {
  let unrouted: Unrouted = { count: 0, messages: [] };
  for (let n = 1; n <= 25; n++) unrouted = withMessage(unrouted, { from: 'e', step: 's', channel: '#desk', message: `${n}` });
  expect(unrouted.count).toBe(25);
  expect(unrouted.messages.map(({ message }) => message)).toEqual(Array.from({ length: 20 }, (_, i) => `${i + 6}`));
});
