import { renderPlan } from '../../cli/rendering/plan';
import { STEP_KINDS } from '../../kinds/traits';
import { stepsOfPlan } from '../../plan/steps/walk';
import { fakeTerminal } from './fake-terminal';
import { CHOOSING, FURTHER, NESTED } from './nested-plan';

const { colors } = fakeTerminal();

test('the fixtures have every kind of step', () => {
  const kinds = new Set([...[NESTED, CHOOSING].flatMap(stepsOfPlan), ...FURTHER].map(({ kind }) => kind));
  expect([...STEP_KINDS].filter((kind) => !kinds.has(kind))).toEqual([]);
});

test('a plan for people has every step under its container, with its policies and the output fields that control the run', () => {
  expect(renderPlan(NESTED, 'abcdef0123456789', colors)).toMatchInlineSnapshot(`
"weekly  plan abcdef012345, language version 2
  Everything at once.
  trigger: manual
  args: topic?, quick?, files?, token? (secret)
  agents: writer
  budget: 50.0k tokens, $2.00
  order: sequence
  intel  agent writer → Brief.json
    at most 3 tries, 2.0 s doubling up to 30 s between them
    at most 6 requests a round: 3 tries × 2, turns with tools not counted
    controls the run by: market, items[0].id
  looks  side by side: 1 of 2 must give a result
    merge: union over id
    timeout 5 min 00 s
    fetch  command
      run: curl -o \${intel.market}
      on a worker of queue host
    deep  a branch of several steps
      dig  agent writer
        at most 8 requests a round: 4 tries × 2, turns with tools not counted
      judge  review of dig by writer
        on revise: retry dig, at most 2
        on block: escalate to human
        at most 8 requests a round: 4 tries × 2, turns with tools not counted
  each  for each file of args.files, 3 at once, a pause of 1.0 s after every 10
    when args.quick != true
    of each item, controls the run by: name
    lint  shell
      run: lint \${file.name} \${args.topic}
      cwd: src
      env TOKEN: \${args.token}
    accept  shell
      in one activity with the step before it
      run: cat
      stdin: \${lint}
      then a person approves: Keep it?
  ship  pipeline deploy, as a run of its own
  size  a person gives a value
    asks: How large?
    offers: {"size":3}
    timeout 1 h 00 min
  pipe  pipe, in which a person is asked: approve
    pipe: exec --json ls \${args.topic} | where size>=3 | approve --prompt "All of these?"
  signal  wait for the signal market-open
    timeout 1 min 00 s
  approve  a person decides: chairman
    asks: Trade on \${intel.market}?
    shows: intel
    choices: approve, reject
    four eyes: neither the owner nor the person who started the run
    when time is up: reject
    reminds: every 2 h 00 min
    on reject: retry intel, at most 2
    timeout 1 d 0 h
  finally  whatever happened
    tell  notify #desk
      message: done with \${args.topic}
"
`);
});

test('a switch has its cases under it, with what makes each hold, and a repeat its steps, with what ends it; a merge says what it lands where', () => {
  const plan = renderPlan(CHOOSING, 'x', colors);
  expect(plan.split('\n').slice(3, -1)).toEqual([
    '  route  the first case that holds: fast, slow',
    '    fast  shell',
    '      when args.quick',
    '      run: fast',
    '    slow  shell',
    '      when !args.quick',
    '      run: slow',
    '  fix  repeat until round >= 3, at most 5 rounds',
    '    check  shell',
    '      run: check',
    '  land  merge check into main',
    '  team  a manager and 4 engineers, merged into main',
    '    test of each merge: the acceptance commands of what is merged',
    '    limits: 22 rounds, 3 returns of a task',
    '  board  alice claims tasks, led by lead, 2 tasks at the beginning',
    '    team: research',
    '    lead: agent lead',
    '    alice: coder, agent writer',
    '    spawns: writer',
    '    #1 lexer: Write the lexer',
    '    #2: Write the parser (after lexer, for the role coder, priority 1)',
    '    limits: 8 members, 50 replies in a row, 3 attempts at a task',
    '    waits: 1 min 00 s for work, 5 min 00 s for an answer to a request to shut down',
    '    ends: when all members have shut down',
    '    board_lead  agent lead',
    '      at most 50 replies in each turn of a member, and 4 tries of a turn that fails',
    '    board_writer  agent writer',
    '      at most 50 replies in each turn of a member, and 4 tries of a turn that fails',
    '    board_person  a person decides',
    '      choices: approve, reject',
    '  decide  person("ann"), writer vote: 2/3 must approve',
    '    proposal: Which database?',
    '    rounds: at most 2, the proposal is revised by writer',
    '    if all abstain: writer decides',
    '    on fail: escalate to human',
    '    timeout 5 min 00 s',
    '  dual  writer and editor side by side, aligned at 1 point',
    '    track a: writer: api',
    '    track b: editor: scaffold',
    '    sync contract: The contract: after api and scaffold, writer checks at most 2 times, the first waits 5 min 00 s',
    '    ahead: begins its next phase provisionally',
    '    integration: npm test',
    '    on blocked: hold',
    '    on misaligned: track a goes on to its end, then b follows it',
    '  rescue  up the levels: writer → human',
    '    issue: The build is red.',
    '    attempts: L0 writer: 2, L1 human: 1',
    '    solved when: npm test',
    '    a person is waited for: 1 d 0 h, then workaround',
    '    on root cause: stop',
    '    remembers: what L1 solves, as a pattern for L0',
    '  go  plan → execute → validate, with CP-1',
    '    CP-1: it is the base of all else',
    '    on blocked: swarm',
    '  advise  asks writer about security',
    '    question: Which hash?',
    '    options: bcrypt; argon2id',
    '    urgency: normal, the step waits for advice 5 min 00 s',
    '    second opinion: lead',
    '    timeout 5 min 00 s',
    '  mob  all diagnose: writer',
    '    issue: The build is red.',
    '    affected: build',
    '    perspectives: writer: implementation',
    '    others: are paused in the meantime',
    '    fixed by: the author of the best diagnosis',
    '    solved when: npm test',
    '    rounds: at most 2, 10 min 00 s for the diagnoses of each',
    '    on fail: stop',
    '    timeout 10 min 00 s',
    '  deliver  writer delivers a plan in increments',
    `    plan: \${fetch.tasks}`,
    '    gate syntax_clean: npx tsc --noEmit',
    '    validator: reader',
    '    fixes: at most 3 for an increment, 20 min 00 s a task',
    '    validation of the whole: npm test',
    '    stops: if more than 1/2 of the increments are blocked',
    '    on blocked: escalate to human',
    '    timeout 30 min 00 s',
    '    worktree: one of its own',
    '  finally  whatever happened',
    '    post_mortem  a post-mortem by writer, after trouble; without it nobody is asked',
    '      asked: those who had work in the run',
    '      memory: team.md',
    '      guidelines: docs/guidelines.md',
    '      timeout 3 min 00 s',
  ]);
  const expanded = renderPlan(CHOOSING, 'x', colors, () => undefined, true);
  expect(expanded.match(/^ {4}decide_\w+/gm)).toEqual(
    ['decide_ann', 'decide_writer', 'decide_revise', 'decide_default'].map((id) => `    ${id}`),
  );
});

test('who decides is reported: groups with their members, categories, delegates, what a decision must come with', () => {
  const plan = renderPlan(
    {
      ...NESTED,
      escalation: [
        { kind: 'human', name: 'board', people: ['chairman', 'cfo'] },
        { kind: 'human', name: 'ceo', people: ['ceo'] },
      ],
      requiresApproval: { move_money: { quorum: 2, fourEyes: true, timeoutMs: 60_000, onTimeout: 'reject' } },
      delegates: { chairman: ['cfo'] },
      budget: { costMicroUsd: 1_000_000, onUnknownCost: 'allow' },
      block: { order: 'sequence', steps: [{ id: 'ask', kind: 'approval', identity: 'proven', comment: 'on_reject' }] },
    },
    'x',
    colors,
  );
  for (const said of [
    'board (chairman, cfo) → ceo\n',
    'approval of move_money: anyone in #approvals; 2 must approve; neither',
    'in place of: chairman: cfo',
    'unknown cost allowed',
    'identity: must be proven',
    'comment: needed for a rejection',
  ]) {
    expect(plan).toContain(said);
  }
});

test('a text from a file stays on its line', () => {
  const plan = renderPlan({ ...NESTED, description: 'a\u001b[2J\nb' }, 'x', colors);
  expect(plan).toContain('a b');
});
