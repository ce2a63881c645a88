import { existsSync, readdirSync } from 'node:fs';
import { untilListed } from '../../durability/support/runs';
import { type Scratch, SET_UP_MS } from '../../durability/support/scratch';
import { besideUp } from './support/beside-up';
import { CANCELLED, Calls, okay, refused, tokenOf } from './support/calls';

/** Tests runs that ask, and the effect of answers, with the built program. */
let scratch: Scratch;
let calls: Calls;

beforeAll(async () => {
  scratch = await besideUp();
  calls = new Calls(scratch);
}, SET_UP_MS);

const GATE = {
  steps: [
    { id: 'a', run: 'echo [1,2]', approval: 'Ship it?' },
    { id: 'b', run: 'echo "$a.approved by $a.approvedBy"' },
  ],
};
const QUESTION = {
  steps: [
    { id: 'a', run: `echo '{"x": 1}'` },
    { id: 'q', input: { prompt: 'How many?', responseSchema: { type: 'object', required: ['n'] }, defaults: { n: 1 } } },
    { id: 'b', run: 'echo $q.response.n of $q.subject.x' },
  ],
};
const GONE = refused('runtime_error', 'Workflow resume state not found');

test('an approval is asked for with the output of the step', async () => {
  expect(await calls.run('gate.json', GATE)).toEqual({
    exit: 0,
    err: '',
    envelope: {
      protocolVersion: 1,
      ok: true,
      status: 'needs_approval',
      output: [],
      requiresApproval: {
        type: 'approval_request',
        prompt: 'Ship it?',
        items: [1, 2],
        preview: '[1,2]',
        resumeToken: expect.any(String),
        approvalId: expect.stringMatching(/^[0-9a-f]{8}$/),
      },
      requiresInput: null,
    },
  });
});

test('yes lets the run on, from another folder; the token is used up then', async () => {
  const token = tokenOf(await calls.run('gate.json', GATE));
  const answered = await calls.elsewhere({ LOBSTER_APPROVAL_APPROVED_BY: 'ann' }, 'resume', '--token', token, '--approve', 'yes');
  expect(answered).toEqual(okay(['true by ann\n']));
  expect(await calls.resume('--token', token, '--approve', 'yes')).toMatchObject(GONE);
});

test('the short id does as the token', async () => {
  const { envelope } = await calls.run('gate.json', GATE);
  const id = envelope.requiresApproval?.approvalId ?? '';
  expect(await calls.resume('--id', id, '--approve', 'no')).toEqual(CANCELLED);
  expect(await calls.resume('--id', id, '--approve', 'yes')).toMatchObject(
    refused('parse_error', `Approval ID "${id}" not found or expired`),
  );
});

test('--cancel calls the run off', async () => {
  const token = tokenOf(await calls.run('cancelled.json', GATE));
  expect(await calls.resume('--token', token, '--cancel')).toEqual(CANCELLED);
  expect(await calls.resume('--token', token, '--cancel')).toMatchObject(refused('runtime_error', 'Resume state not found'));
  const runs = await untilListed(scratch, ['--pipeline', 'cancelled'], 'it is cancelled', ([run]) => run?.state === 'cancelled');
  expect(runs).toHaveLength(1);
});

test('wrong answers leave the token valid', async () => {
  const paused = await calls.run('question.json', QUESTION);
  expect(paused.envelope.requiresInput).toMatchObject({
    type: 'input_request',
    prompt: 'How many?',
    defaults: { n: 1 },
    subject: { x: 1 },
  });
  const token = tokenOf(paused);
  const answer = (...words: string[]) => calls.resume('--token', token, ...words);
  expect(await answer('--approve', 'yes')).toMatchObject(
    refused('parse_error', 'Workflow resume requires --response-json for input requests'),
  );
  expect(await answer('--response-json', '{')).toMatchObject(refused('parse_error', 'resume --response-json must be valid JSON'));
  expect(await answer('--response-json', '{}')).toMatchObject(
    refused('parse_error', "Workflow input step q response failed schema validation at /: must have required property 'n'"),
  );
  expect(await answer('--response-json', '{"n": 3}')).toEqual(okay(['3 of 1\n']));
  expect(await answer('--response-json', '{"n": 4}')).toMatchObject(GONE);
});

test('who must approve, and who must not, is held', async () => {
  const approval = { prompt: 'p', required_approver: 'bob', initiated_by: 'ann' };
  const token = tokenOf(await calls.run('who.json', { steps: [{ id: 'a', run: 'true', approval }] }));
  const as = (name: string) => calls.elsewhere({ LOBSTER_APPROVAL_APPROVED_BY: name }, 'resume', '--token', token, '--approve', 'yes');
  expect(await as('ann')).toMatchObject(refused('parse_error', "Workflow step a approval requires approver 'bob', got 'ann'"));
  expect(await as('bob')).toEqual(okay([]));
});

test('two gates of a program have a token each, and no state is left', async () => {
  const states = (): string[] => readdirSync(scratch.path('home/.lobster/state')).filter((name) => name.startsWith('pipeline_resume_'));
  const first = await calls.program(`exec --json --shell "echo '[{}]'" | approve --prompt one | approve --prompt two`);
  expect(first.envelope.requiresApproval).toMatchObject({ prompt: 'one', items: [{}] });
  const second = await calls.resume('--token', tokenOf(first), '--approve', 'yes');
  expect(second.envelope.requiresApproval?.prompt).toBe('two');
  expect(states()).toHaveLength(1);
  expect(await calls.resume('--token', tokenOf(second), '--approve', 'yes')).toEqual(okay([{}]));
  expect(states()).toEqual([]);
});

test('a gate in a sub-workflow is answered through its parent', async () => {
  scratch.write('child.json', JSON.stringify({ steps: [{ id: 'c', run: 'echo 7', approval: 'In the child?' }] }));
  const paused = await calls.run('parent.json', { steps: [{ id: 'sub', workflow: 'child.json' }] });
  expect(paused.envelope.requiresApproval?.prompt).toBe('In the child?');
  expect(await calls.resume('--token', tokenOf(paused), '--approve', 'yes')).toEqual(okay([7]));
});

test('what is edited after a question while its run waits changes nothing of the run', async () => {
  const token = tokenOf(await calls.run('edited.json', GATE));
  scratch.write('edited.json', JSON.stringify({ steps: [...GATE.steps.slice(0, 1), { id: 'other', run: 'touch edited' }] }));
  expect(await calls.resume('--token', token, '--approve', 'yes')).toEqual(okay([expect.stringMatching(/^true/)]));
  expect(existsSync(scratch.path('edited'))).toBe(false);
});

const PIPE = 'exec --json --shell "echo [1]" | ask --prompt Sure?';
const ASKING = { steps: [{ id: 'q', pipeline: PIPE }] };

test('a question that was edited is not answered by its token, but by the run’s own name, and the token works once the file is back', async () => {
  const paused = await calls.run('question-edited.json', ASKING);
  scratch.write('question-edited.json', JSON.stringify({ steps: [{ id: 'q', pipeline: PIPE, when: 'false' }] }));
  const answer = ['--token', tokenOf(paused), '--response-json', '{"decision": "approve"}'];
  const condition = await calls.resume(...answer);
  expect(condition).toMatchObject(refused('runtime_error', 'workflow input step condition changed since input request'));
  expect(condition.err).toMatch(/^question-edited\.json:1:\d+ {2}the condition of step "q" has changed.*hint: .*thermidor respond/s);
  scratch.write('question-edited.json', JSON.stringify({ steps: [{ id: 'q', pipeline: `${PIPE} | json` }] }));
  expect(await calls.resume(...answer)).toMatchObject(refused('runtime_error', 'workflow input step changed since input request'));
  scratch.write('question-edited.json', JSON.stringify(ASKING));
  expect(await calls.resume(...answer)).toEqual(okay([{ decision: 'approve' }]));
});

test('a run that is past a gate says so to somebody who comes with its token', async () => {
  const token = tokenOf(await calls.run('past.json', GATE));
  scratch.write('past.json', JSON.stringify({ steps: [{ id: 'other', run: 'true' }] }));
  const [run] = await untilListed(scratch, ['--pipeline', 'past'], 'it waits', ([first]) => first?.state === 'waiting');
  expect(await scratch.ask('approve', run?.run ?? '')).toMatchObject({ code: 0 });
  const late = await calls.resume('--token', token, '--approve', 'yes');
  expect(late).toMatchObject(GONE);
  expect(late.err).toMatch(/no longer waits for this answer to step "a"/);
});

test('a run that fails after its gate is failed, and its token used up', async () => {
  const steps = [
    { id: 'a', run: 'true', approval: true },
    { id: 'b', run: 'exit 5' },
  ];
  const token = tokenOf(await calls.run('fails.json', { steps }));
  expect(await calls.resume('--token', token, '--approve', 'yes')).toMatchObject(
    refused('runtime_error', 'workflow command failed (5): exit 5'),
  );
  expect(await calls.resume('--token', token, '--approve', 'yes')).toMatchObject(GONE);
});

test('without a terminal, human mode prints the request', async () => {
  const { code, out } = await calls.print('run', 'gate.json');
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    status: 'needs_approval',
    output: [],
    requiresApproval: { prompt: 'Ship it?' },
    requiresInput: null,
  });
});
