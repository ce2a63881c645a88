import { runWhole } from '../support/whole-run';

/** Consultations with the real activities and stores: the questions to advisers, and the effect of their answers. */
const PIPELINE = `owner: lead
steps:
  - id: advise
    type: consult
    topic: style
    question: Which tense?
    context: {text: a report}
    options: [present, past]
    consultants: {style: w}
    second_opinion: r
  - {id: act, agent: r, prompt: "In the \${advise.recommendation} tense.", when: advise.outcome == "advised"}
output: advise
`;

describe('a whole consultation', () => {
  it('CP-8 · workflow · advisers read the question with its context and all answers, and steps after read the advice', async () => {
    const run = runWhole(PIPELINE, {
      files: {},
      script: `replies:
  advise_consultant:
    - {iteration: 1, json: {recommendation: past, rationale: it is over, confidence: 0.4}}
    - {iteration: 2, json: {recommendation: past, rationale: still over, confidence: 0.6}}
  advise_second_opinion: [{json: {recommendation: present, rationale: it is livelier, confidence: 0.9, caveats: [not in quotes]}}]
  act: [{text: done}]
`,
    });
    await run.quiet();
    await expect(run.result).resolves.toMatchObject({
      output: { outcome: 'advised', by: 'r', option: 'present', caveats: ['not in quotes'], answers: { length: 3 } },
    });
    const asked = (step: string, nth = 0) => run.requests.filter(({ stepId }) => stepId.includes(step))[nth]?.prompt ?? '';
    expect(asked('advise_consultant')).toContain('Which tense?');
    expect(asked('advise_consultant')).toContain('a report');
    expect(asked('advise_consultant', 1)).toContain('it is over');
    expect(asked('advise_second_opinion')).toContain('still over');
    expect(asked('act')).toContain('In the present tense.');
  });

  it('CP-8 · entry · an answer of another shape is asked for again', async () => {
    const run = runWhole(PIPELINE, {
      files: {},
      script: `replies:
  advise_consultant:
    - {ask: 1, json: {recommendation: past, rationale: x, confidence: 7}}
    - {ask: 2, json: {recommendation: past, rationale: x, confidence: 0.9}}
  act: [{text: done}]
`,
    });
    await run.quiet();
    await expect(run.result).resolves.toMatchObject({ output: { outcome: 'advised', by: 'w', confidence: 0.9 } });
  });
});

describe('advice that is unverified', () => {
  const BEHIND = `owner: lead
steps:
  - {id: advise, type: consult, topic: style, question: Which tense?, consultants: {style: w}, second_opinion: r}
  - {id: act, agent: r, prompt: "In the \${advise.recommendation} tense."}
  - {id: note, agent: r, input: {tense: "\${advise.recommendation}", other: "\${default(advise.recommendation, 'none')}"}}
`;
  const prompts = async (advice: string) => {
    const run = runWhole(BEHIND, { script: `replies:\n${advice}\n  act: [{text: done}]\n  note: [{text: done}]\n` });
    await run.completes();
    const of = (step: string) => run.requests.find(({ stepId }) => stepId === step)?.prompt ?? '';
    return { act: of('act'), note: of('note'), journal: await run.journal() };
  };

  it('CP-8 · silence/abstention · advice that has not come is marked in the next prompts, and is no empty text', async () => {
    const { act, note, journal } = await prompts('  advise_consultant: [{hang: true}]');
    expect(act).toContain('In the UNVERIFIED tense.');
    expect(act).toContain('Step "advise" asked for advice on style: UNVERIFIED, none has come (w gave no answer in time).');
    expect(act).toContain('mark everything that rests on it as UNVERIFIED');
    expect(note).toMatch(/tense[\s\S]*UNVERIFIED[\s\S]*none/);
    const refused = journal.flatMap((entry) => (entry.kind === 'pattern' && entry.type === 'consult_response' ? [entry.refused] : []));
    expect(refused).toEqual(['gave no answer in time']);
  });

  it('CP-8 · fallbacks · advice that nobody is sure of is there, and is marked in the next prompts', async () => {
    const advice = (who: string, confidence: number) =>
      `  advise_${who}: [{json: {recommendation: past, rationale: x, confidence: ${confidence}}}]`;
    const { act } = await prompts(`${advice('consultant', 0.4)}\n${advice('second_opinion', 0.6)}`);
    expect(act).toContain('In the past tense.');
    expect(act).toContain('UNVERIFIED, r is not sure (confidence 0.6).');
  });

  it('CP-8 · success · advice that counts has no mark', async () => {
    const { act } = await prompts('  advise_consultant: [{json: {recommendation: past, rationale: x, confidence: 0.9}}]');
    expect(act).not.toMatch(/unverified/i);
  });
});
