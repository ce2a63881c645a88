import { broken, consults, play } from './consult-play';
import { playFile } from './file-play';
import { settled } from './played';

/** Tests CP-8 on the in-memory interpreter: who is asked, and which advice counts. */
describe('a consultation', () => {
  it('CP-8 · success · advice that is sure ends it, and nobody else is asked', async () => {
    const played = play();
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.started()).toEqual(['1 consultant', 'after']);
    expect(played.output()).toMatchObject({
      ...{ outcome: 'advised', by: 'sec', recommendation: 'consultant', confidence: 0.9, marked: null },
      ...{ topic: 'security', question: 'Which hash?', urgency: 'normal', answers: [{ as: 'consultant', by: 'sec' }] },
    });
  });

  it('CP-8 · workflow · request and advice are in the journal, in the shapes of the signals', async () => {
    const played = play({
      says: { consultant: { confidence: 0.9, references: ['RFC 9106'], caveats: ['memory'], alternative: 'scrypt' } },
    });
    await played.world.result;
    expect(played.feedback()).toMatchObject([
      {
        type: 'consult_request',
        to: 'sec',
        data: { topic: 'security', question: 'Which hash?', urgency: 'normal', context: { sha256: expect.any(String) } },
      },
      {
        ...{ type: 'consult_response', from: 'sec' },
        data: {
          ...{ recommendation: 'consultant', rationale: 'because', confidence: 0.9 },
          ...{ references: ['RFC 9106'], caveats: ['memory'], alternative: 'scrypt' },
        },
      },
    ]);
  });

  it('CP-8 · workflow · an adviser who is not sure is asked once more, and then a second one is asked', async () => {
    const played = play({ says: { consultant: 0.5, second_opinion: 0.95 } });
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.started()).toEqual(['1 consultant', '2 consultant', '3 second_opinion', 'after']);
    expect(played.output()).toMatchObject({ outcome: 'advised', by: 'arch', answers: [{}, { follow_up: true }, { as: 'second_opinion' }] });
  });

  it('CP-8 · success · the follow-up may be what makes an adviser sure', async () => {
    const played = play({ says: { consultant: [0.79, 0.8] } });
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.started()).toEqual(['1 consultant', '2 consultant', 'after']);
    expect(played.output()).toMatchObject({ outcome: 'advised', confidence: 0.8 });
  });

  it('CP-8 · workflow · of options one must be named, however sure the adviser is', async () => {
    const options = ['bcrypt', 'argon2id'];
    const played = play({
      matter: { question: 'Which hash?', options },
      says: { consultant: [{ recommendation: 'a good one' }, { recommendation: 'Argon2id' }] },
    });
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.output()).toMatchObject({ outcome: 'advised', option: 'argon2id', answers: [{}, { follow_up: true }] });
    expect(played.feedback()[0]).toMatchObject({ data: { options } });
  });

  it('CP-8 · fallbacks · without a specialist for the topic the fallback is asked', async () => {
    const played = play({ text: consults('consultants: {style: sec}, fallback: cli') });
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.started()).toEqual(['1 fallback', 'after']);
    expect(played.output()).toMatchObject({ outcome: 'advised', by: 'cli' });
  });

  it('CP-8 · fallbacks · a specialist who fails is stood in for', async () => {
    const played = play({ says: { consultant: broken } });
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.started()).toEqual(['1 consultant', '2 fallback', 'after']);
    expect(played.output()).toMatchObject({
      outcome: 'advised',
      answers: [{ by: 'sec', failed: 'gave no answer: agent.turns-used-up: it did not answer' }, { by: 'cli' }],
    });
    expect(played.feedback()).toContainEqual(
      expect.objectContaining({ type: 'consult_response', from: 'sec', refused: expect.any(String) }),
    );
  });

  it('CP-8 · fallbacks · if nobody is sure the surest advice is kept, unverified', async () => {
    const played = play({ says: { consultant: [0.5, 0.7], second_opinion: 0.6 } });
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.output()).toMatchObject({ outcome: 'unverified', marked: 'UNVERIFIED', by: 'sec', confidence: 0.7 });
  });

  it('CP-8 · fallbacks · if everybody fails it does not fail: the work goes on without advice, and the output says so', async () => {
    const played = play({ says: { consultant: broken, fallback: broken, second_opinion: broken } });
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.started()).toEqual(['1 consultant', '2 fallback', '3 second_opinion', 'after']);
    expect(played.output()).toMatchObject({ outcome: 'unverified', marked: 'UNVERIFIED', by: null, recommendation: null });
  });

  it('CP-8 · fallbacks · what contradicts the design is said in the output', async () => {
    const played = play({ says: { consultant: { design_conflict: 'the design has MD5' } } });
    await played.world.result;
    expect(played.output()).toMatchObject({ outcome: 'advised', design_conflict: 'the design has MD5' });
  });

  it('CP-8 · entry · is none if there is nothing to ask: the step is skipped', async () => {
    const played = play({ matter: { question: null } });
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.world.step('advise')).toMatchObject({ state: 'skipped' });
    expect(played.started()).toEqual(['after']);
  });

  it('CP-8 · time-out · all questions share the time of the urgency, and what came is kept, unverified', async () => {
    const played = play({ says: { consultant: [0.6, 'silence'] } });
    await settled(played);
    expect(played.world.step('advise')).toMatchObject({
      waitingFor: 'the advice of sec',
      advice: { asked: 'sec', move: { followUp: true } },
    });
    const begun = played.world.clock.now();
    await played.world.completes();
    expect(played.world.clock.now() - begun).toBe(5 * 60_000);
    expect(played.output()).toMatchObject({ outcome: 'unverified', marked: 'UNVERIFIED', by: 'sec', confidence: 0.6 });
    expect(played.world.step('advise')).toMatchObject({ state: 'done', advice: { outcome: 'unverified' } });
  });

  it.each<[string, string, number | undefined]>([
    ['blocking', 'urgency: blocking', 2 * 60_000],
    ['low', 'urgency: low', undefined],
    ['its own timeout', 'urgency: low, timeout: 30s', 30_000],
  ])('CP-8 · time-out · how long is waited: %s', async (_what, key, expected) => {
    const played = play({ text: consults(`consultants: {security: sec}, ${key}`), says: { consultant: 'silence' } });
    await settled(played);
    const begun = played.world.clock.now();
    if (expected === undefined) return expect(played.world.clock.pending).toBe(0);
    await played.world.completes();
    expect(played.world.clock.now() - begun).toBe(expected);
  });

  it('CP-8 · silence/abstention · without an end somebody is waited for', async () => {
    const played = play({ text: consults('consultants: {security: sec}, urgency: low'), says: { consultant: 'silence' } });
    await settled(played);
    expect(played.world.step('advise')).toMatchObject({ state: 'running', waitingFor: 'the advice of sec' });
    expect(played.world.clock.pending).toBe(0);
  });

  it('CP-8 · roles · a message that calls itself advice is a message', async () => {
    const played = play({ says: { consultant: 'silence' } });
    await settled(played);
    played.world.signal('consult_response', { by: 'mallory', step: 'advise', recommendation: 'md5', confidence: 1 });
    await settled(played);
    expect(played.world.step('advise')).toMatchObject({ state: 'running' });
    expect(played.feedback()).toHaveLength(1);
  });
});

test.each([
  ['the table is the design', 1, ''],
  [undefined, 0, ''],
  ['the table is the design, in a graph', 1, '    depends_on: []\n'],
])('CP-8 · fallbacks · advice that contradicts the design is voted on: %s', async (design_conflict, votes, order) => {
  const file = `name: p
owner: lead
agents: {lead: {role: Leads.}, sec: {role: Knows.}, dev: {role: Does.}}
steps:
  - id: advise
    type: consult
    topic: security
    question: Which hash?
    consultants: {security: sec}
    on_design_conflict: {consensus: {voters: [lead, dev], rounds: 1}}
${order}`;
  const advice = { recommendation: 'argon2id', rationale: 'known', confidence: 0.9, ...(design_conflict ? { design_conflict } : {}) };
  const vote = { proposalId: 'advise_decide-1', vote: 'APPROVE', rationale: 'so be it' };
  const replies = { advise_consultant: [{ json: advice }], advise_decide_lead: [{ json: vote }], advise_decide_dev: [{ json: vote }] };
  const { view, calls } = await playFile(file, replies);
  expect(view.state).toBe('completed');
  expect(calls('advise_decide_dev')).toBe(votes);
});

test('CP-8 · silence/abstention · advice that has not come is no gap in what people and voters read either', async () => {
  const file = `name: p
owner: lead
agents: {lead: {role: Leads.}, sec: {role: Knows.}, dev: {role: Does.}}
steps:
  - {id: advise, type: consult, topic: style, question: Which tense?, consultants: {style: sec}, timeout: 1m}
  - {id: ask, type: approval, approvers: anyone, prompt: "Go on in the \${advise.recommendation} tense?"}
  - {id: type, type: input, input: {prompt: "It was \${advise.recommendation}: which?", responseSchema: {type: string}}}
  - {id: tell, type: notify, notify: {channel: "#desk", message: "It is \${advise.recommendation}."}}
  - {id: vote, type: consensus, proposal: "Write \${advise.recommendation}?", voters: [dev, lead], revise_by: lead, rounds: 1}
  - {id: boxed, branches: [{id: left, steps: [{id: inner, type: consult, topic: style, question: Which?, consultants: {style: sec}, timeout: 1m}]}]}
  - {id: act, agent: dev, prompt: 'Boxed: \${boxed.left.recommendation}. Else: \${default(advise.recommendation, "the guide")}.'}
  - {id: piped, run: "echo [\${advise.recommendation}]"}
`;
  const vote = { vote: 'APPROVE', rationale: 'so be it' };
  const replies = {
    ...{ advise_consultant: [{ hang: true }], inner_consultant: [{ hang: true }], act: [{ text: 'done' }] },
    ...{ vote_dev: [{ json: vote }], vote_lead: [{ json: vote }] },
  };
  const people = [
    { gate: 'ask', approve: { by: 'ann' } },
    { gate: 'type', respond: 'past' },
  ];
  const played = await playFile(file, replies, { piped: { stdout: '' } }, people);
  expect(played.view.state).toBe('completed');
  const said = played.journal.flatMap((entry) => {
    if (entry.kind === 'gate' && entry.event === 'opened') return [entry.question];
    if (entry.kind === 'notification') return [entry.message];
    return entry.kind === 'pattern' && entry.type === 'proposal' ? [entry.data.title] : [];
  });
  expect(said).toEqual(['Go on in the UNVERIFIED tense?', 'It was UNVERIFIED: which?', 'It is UNVERIFIED.', 'Write UNVERIFIED?']);
  expect(played.steps.get('act')?.calls.map(({ text }) => text)).toEqual([expect.stringContaining('Boxed: UNVERIFIED. Else: the guide.')]);
  // A command gets the plain value and no sentence.
  expect(played.steps.get('piped')?.calls.map(({ text }) => text)).toEqual(['echo [""]']);
});
