import type { JsonObject } from '../../../plan/text/json';
import { task } from '../../board/board';
import { atWork } from './at-work';

const refusal = (says: string) => ({ refused: true, text: expect.stringContaining(says) });
const KIB = 1024;

test('idle ends the work, with no reply for its result', async () => {
  await expect(atWork().call('idle')).resolves.toMatchObject({ effect: { ends: 'idle' } });
});

const TASKS = [
  task('lexer', { requiredRole: 'critic' }),
  task('parser', { blockedBy: ['lexer'], requiredRole: 'coder' }),
  task('docs', { requiredRole: 'coder' }),
];

describe('claim_task', () => {
  it.each([3, '3', '#3', 'docs', ' docs '])('takes a task by %j, and says which it is', async (id) => {
    const at = atWork({ tasks: TASKS });
    await expect(at.call('claim_task', { task_id: id })).resolves.toEqual({ text: '<auto-claimed>Task #3: docs</auto-claimed>' });
    expect(at.board.task('docs')).toMatchObject({ owner: 'alice', status: 'in_progress', claimSource: 'manual' });
  });

  it('ends the work if the task has a worktree: the next one begins there', async () => {
    const at = atWork({ tasks: TASKS });
    at.board.task('docs').worktree = 'docs';
    const { text, effect } = await at.call('claim_task', { task_id: 'docs' });
    expect(effect).toEqual({ ends: 'claimed' });
    expect(JSON.parse(text)).toMatchObject({ claimed: { id: 3, worktree: 'docs' }, begins_with_next_work: true });
    await expect(at.call('complete_task', { task_id: 3 })).resolves.toMatchObject(refusal('"refused":"elsewhere"'));
  });

  it('says what is to be done, and why it came back', async () => {
    const at = atWork({ tasks: [task('docs')] });
    at.board.task('docs').description = await at.stored('Write the page.');
    at.board.claim('bob', 'docs');
    at.board.fail('bob', 'docs', 'no words');
    const { text } = await at.call('claim_task', { task_id: 'docs' });
    expect(text).toBe('<auto-claimed>Task #1: docs</auto-claimed>\n\nWrite the page.\n\nIt came back from bob: no words');
  });

  it.each<[string, JsonObject[string], string]>([
    ['a task of another', 'docs', '"refused":"already_claimed","task":3,"by":"lead"'],
    ['one that is blocked', '#2', '"refused":"blocked","task":2,"by":[{"id":1'],
    ['one for another role', '1', '"refused":"wrong_role"'],
    ['one that there is not', 17, '"refused":"unknown_task"'],
    ['half a task', 2.5, 'task_id'],
    ['no number of a task', '2.5', '"refused":"unknown_task"'],
    ['a blank', '  ', 'task_id'],
    ['a list', [1], 'task_id'],
    ['a name that is a book', 'x'.repeat(100_000), 'task_id'],
  ])('refuses %s', async (_, id, says) => {
    const at = atWork({ tasks: TASKS });
    Object.assign(at.board.task('docs'), { owner: 'lead', status: 'in_progress', attempt: 1, claimedAtMs: 0, claimSource: 'manual' });
    await expect(at.call('claim_task', { task_id: id })).resolves.toMatchObject(refusal(says));
  });
});

describe('complete_task', () => {
  it('completes a task, with a short result, or none', async () => {
    const at = atWork({ tasks: [task('a'), task('b')] });
    for (const id of ['a', 'b']) await at.call('claim_task', { task_id: id });
    await expect(at.call('complete_task', { task_id: '#1', result: ' done ' })).resolves.toEqual({
      text: '{"task":{"id":1,"status":"completed"}}',
    });
    await at.call('complete_task', { task_id: 'b', result: '' });
    expect(at.board.task('a').result).toEqual({ text: 'done' });
    expect(at.board.task('b')).not.toHaveProperty('result');
  });

  it('stores a long result, with its secrets masked, and gives the board its beginning', async () => {
    const at = atWork({ tasks: [task('a')], mask: (text) => text.replaceAll('hush', '***') });
    await at.call('claim_task', { task_id: 'a' });
    await at.call('complete_task', { task_id: 'a', result: `hush ${'x'.repeat(1000)}` });
    const { text = '', whole } = at.board.task('a').result ?? {};
    expect(text).toMatch(/^\*\*\* x{195}…$/);
    await expect(at.textOf(whole)).resolves.toBe(`*** ${'x'.repeat(1000)}`);
  });

  it.each([
    ['nobody’s task', { task_id: 'a' }, '"refused":"not_yours"'],
    ['another’s task', { task_id: 'b' }, '"refused":"not_yours","task":2,"by":"bob"'],
    ['a done one', { task_id: 'c' }, '"refused":"done"'],
    ['a result of a megabyte', { task_id: 'a', result: 'x'.repeat(KIB * KIB) }, '"result" has 1048576 bytes; at most 64 KiB are allowed'],
  ])('refuses %s', async (_, args, says) => {
    const at = atWork({ tasks: [task('a'), task('b'), task('c')] });
    for (const id of ['b', 'c']) at.board.claim('bob', id);
    at.board.complete('bob', 'c');
    await expect(at.call('complete_task', args)).resolves.toMatchObject(refusal(says));
  });
});

describe('fail_task', () => {
  it('gives a task back with the reason', async () => {
    const at = atWork({ tasks: [task('a')], mask: (text) => text.replaceAll('hush', '***') });
    await at.call('claim_task', { task_id: 1 });
    await at.call('fail_task', { task_id: 1, reason: 'no hush ' });
    expect(at.board.task('a')).toMatchObject({ status: 'pending', returned: { by: 'alice', reason: 'no ***' } });
  });

  it('gives the whole of a long reason to the next one that tries it', async () => {
    const at = atWork({ tasks: [task('a')] });
    await at.call('claim_task', { task_id: 'a' });
    await at.call('fail_task', { reason: 'x'.repeat(1000) });
    expect(at.board.task('a').returned?.reason).toHaveLength(200);
    const { text } = await at.call('claim_task', { task_id: 'a' });
    expect(text).toBe(`<auto-claimed>Task #1: a</auto-claimed>\n\nIt came back from alice: ${'x'.repeat(1000)}`);
  });

  it.each([
    ['a task of nobody', { task_id: 'a', reason: 'x' }, 'not_yours'],
    ['no reason', { task_id: 'a', reason: ' ' }, 'reason'],
    ['a reason of a megabyte', { task_id: 'a', reason: 'x'.repeat(KIB * KIB) }, '"reason" has 1048576 bytes'],
  ])('refuses %s', async (_, args, says) => {
    await expect(atWork({ tasks: [task('a')] }).call('fail_task', args)).resolves.toMatchObject(refusal(says));
  });
});

describe('create_task', () => {
  it('puts a task on the board: its description is in the store, with its secrets masked', async () => {
    const at = atWork({ tasks: TASKS, mask: (text) => text.replaceAll('hush', '***') });
    const args = {
      ...{ subject: ' Review hush ', name: 'review', description: 'Read hush.', blocked_by: [1, '#2', 'docs'] },
      ...{ required_role: 'critic', priority: 2 },
    };
    const { text } = await at.call('create_task', args);
    expect(text).toContain('{"created":{"id":4,"subject":"Review ***","status":"pending"');
    const made = at.board.task('review');
    expect(made).toMatchObject({ number: 4, blockedBy: [1, 2, 3], requiredRole: 'critic', priority: 2, by: 'alice' });
    await expect(at.textOf(made.description)).resolves.toBe('Read ***.');
  });

  it.each<[string, JsonObject, string]>([
    ['no subject', {}, 'subject'],
    ['an empty subject', { subject: ' ' }, 'subject'],
    ['a subject of several lines', { subject: 'a\nb' }, '"subject" has several lines: put what follows the first into its description'],
    [
      'a subject that is a book',
      { subject: 'x'.repeat(201) },
      '"subject" has 201 characters; at most 200 are allowed: put the rest into its description',
    ],
    [
      'a description of a megabyte',
      { subject: 'a', description: 'x'.repeat(KIB * KIB) },
      '"description" has 1048576 bytes; at most 64 KiB',
    ],
    ['a name that is a number', { subject: 'a', name: '#7' }, '"refused":"unfit"'],
    ['a name that is taken', { subject: 'a', name: 'lexer' }, '"refused":"name_taken"'],
    ['one that blocks itself', { subject: 'a', name: 'a', blocked_by: ['a'] }, 'cannot be blocked by itself (a → a); remove it'],
    ['one that blocks itself by its number', { subject: 'a', blocked_by: [4] }, '"refused":"cycle"'],
    ['one after nobody knows which', { subject: 'a', blocked_by: ['lexxer'] }, '"refused":"unknown_blocker"'],
    ['one after a list', { subject: 'a', blocked_by: [['lexer']] }, 'blocked_by'],
    ['a role that nobody has', { subject: 'a', required_role: 'pilot' }, '"refused":"unknown_role"'],
    ['a priority in words', { subject: 'a', priority: 'high' }, 'priority'],
    ['an owner', { subject: 'a', owner: 'bob' }, 'owner'],
  ])('refuses %s, and nothing is on the board', async (_, args, says) => {
    const at = atWork({ tasks: TASKS });
    await expect(at.call('create_task', args)).resolves.toMatchObject(refusal(says));
    expect(at.board.state.tasks).toHaveLength(3);
  });
});

describe('list_tasks', () => {
  it('shows the board, and who is there', async () => {
    const at = atWork({ tasks: [...TASKS, task('ship')] });
    at.board.claim('bob', 'lexer');
    await at.call('claim_task', { task_id: 'ship' });
    await at.call('complete_task', { task_id: 'ship' });
    at.board.end('lead', 'idle');
    const { text } = await at.call('list_tasks');
    expect(text.split('\n')).toEqual([
      '[>] #1: lexer @bob (named lexer; for critic)',
      '[ ] #2: parser (named parser; blocked by #1; for coder)',
      '[ ] #3: docs (named docs; for coder)',
      '[x] #4: ship @alice (named ship)',
      '1 of 4 completed',
      'Team: lead (lead): idle, alice (coder): working, bob (critic): working',
    ]);
  });

  it('passes on why there is none', async () => {
    const at = atWork();
    at.board.end('alice');
    await expect(at.call('list_tasks')).resolves.toMatchObject(refusal('"refused":"not_working"'));
  });
});

describe('messages and handshakes', () => {
  it('reach who is there', async () => {
    const at = atWork();
    await at.call('send_message', { to: 'bob', content: 'Hello' });
    await at.call('broadcast', { content: 'To all' });
    expect(at.board.inbox('bob')).toEqual(['alice: Hello', 'alice: To all']);
    expect(at.board.inbox('lead')).toEqual(['alice: To all']);
    expect(at.asked).toEqual([]);
  });

  it.each([
    ['nobody', { to: 'nobdy', content: 'x' }, 'nobody in the team is called "nobdy"; there are: lead, bob'],
    ['oneself', { to: 'alice', content: 'x' }, 'that is you'],
    ['bob without a word', { to: 'bob', content: ' ' }, '"content" must say something'],
    ['bob with a megabyte', { to: 'bob', content: 'x'.repeat(KIB * KIB) }, 'at most 64 KiB'],
    ['a list', { to: ['bob'], content: 'x' }, 'to must be string'],
  ])('refuse a message to %s', async (_, args, says) => {
    const at = atWork();
    await expect(at.call('send_message', args)).resolves.toMatchObject(refusal(says));
    expect(at.sent).toEqual([]);
  });

  it('refuse a message to one that has failed, and name who is there', async () => {
    const at = atWork({ gone: 'bob' });
    await expect(at.call('send_message', { to: 'bob', content: 'x' })).resolves.toMatchObject(refusal('bob has failed; there are: lead'));
  });

  it('ask a member to shut down, by a short id by which it answers', async () => {
    const lead = atWork({ me: 'lead' });
    const { text } = await lead.call('request_shutdown', { name: 'bob', reason: 'All is done' });
    const { request_id: id } = JSON.parse(text) as { request_id: string };
    expect(id).toMatch(/^shutdown-[0-9a-f]{10}$/);
    expect(lead.board.state.requests).toMatchObject([{ id, kind: 'shutdown', to: 'bob', status: 'pending' }]);
    lead.board.respond('bob', id, true);
    expect(lead.board.state.requests).toMatchObject([{ id, status: 'approved' }]);
  });

  it('answer a request to shut down, and leave the inbox unread', async () => {
    const at = atWork();
    at.board.askToEnd('alice');
    await at.call('answer_request', { request_id: 'end-alice', approve: false, reason: 'One more task' });
    expect(at.board.state.requests).toMatchObject([{ id: 'end-alice', status: 'rejected' }]);
    expect(at.looks).toBe(0);
  });

  it.each([
    ['a plan, of others than the lead', { request_id: 'plan-1', approve: true }, 'only the lead answers plans'],
    ['no request', { request_id: ' ', approve: true }, '"request_id" must say something'],
    ['neither yes nor no', { request_id: 'end-alice', approve: 'maybe' }, 'approve must be boolean'],
  ])('refuse an answer to %s', async (_, args, says) => {
    const at = atWork();
    await expect(at.call('answer_request', args)).resolves.toMatchObject(refusal(says));
    expect(at.sent).toEqual([]);
  });

  it('give the member of a plan the whole answer of the lead', async () => {
    const feedback = 'x'.repeat(1000);
    const lead = atWork({ me: 'lead' });
    const message = {
      id: 'plan-1',
      type: 'plan_approval',
      from: 'bob',
      to: 'lead',
      content: 'First this',
      characters: 10,
      at: '',
    } as const;
    lead.board.ask('bob', { kind: 'submit_plan', message }, 'of-bob');
    await lead.call('answer_request', { request_id: 'plan-1', approve: false, reason: feedback });
    const { answer } = lead.board.decisions.flatMap((one) => (one.kind === 'answered' ? [one] : []))[0] ?? {};
    const bob = atWork({ me: 'bob', ...(answer ? { answer } : {}), stores: lead });
    const { text } = await bob.call('submit_plan', { plan: 'First this' });
    expect(JSON.parse(text)).toEqual({ request_id: 'plan-1', approved: false, feedback });
  });
});

describe('spawn_teammate', () => {
  it('starts a member, with a prompt from the store', async () => {
    const lead = atWork({ me: 'lead' });
    await lead.call('spawn_teammate', { name: 'carol', agent: 'coder', role: 'coder', prompt: 'Begin.' });
    expect(lead.board.member('carol')).toMatchObject({ agent: 'coder', role: 'coder', status: 'working' });
    await expect(lead.textOf(lead.board.member('carol').prompt)).resolves.toBe('Begin.');
  });

  it.each([
    ['one that works', { name: 'bob' }, '"refused":"working"'],
    ['an agent that the team does not know', { name: 'carol', agent: 'pilot' }, '"refused":"unknown_agent"'],
    ['the lead', { name: 'lead' }, 'is not "lead"'],
    ['a name with blanks', { name: 'a b' }, 'a name has 1 to 40'],
    ['a prompt of a megabyte', { name: 'carol', prompt: 'x'.repeat(KIB * KIB) }, '"prompt" has 1048576 bytes'],
  ])('refuses to start %s', async (_, args, says) => {
    const lead = atWork({ me: 'lead' });
    await expect(lead.call('spawn_teammate', args)).resolves.toMatchObject(refusal(says));
    expect(lead.board.state.members).toHaveLength(3);
  });
});
