import { runWhole } from '../support/whole-run';

/** Votes with the real activities and stores: the questions to agents, and the effect of their answers. */
const VOTE = (id: string, word: string, more = ''): string => `{proposalId: ${id}, vote: ${word}, rationale: because${more}}`;
const AGENTS = { 'agents/a.yaml': 'role: Votes.\n', 'agents/b.yaml': 'role: Votes.\n' };

const PIPELINE = `owner: lead
steps:
  - {id: draft, agent: w}
  - id: decide
    type: consensus
    proposal: $draft
    voters: [a, b]
  - {id: act, agent: r, when: decide.passed}
output: decide
`;

describe('a whole vote', () => {
  it('CP-4 · workflow · asks voters about the proposal alone, has it revised with the objections, and counts again', async () => {
    const run = runWhole(PIPELINE, {
      files: AGENTS,
      script: `replies:
  draft: [{text: "Use a queue.\\nIt scales."}]
  decide_a:
    - {iteration: 1, json: ${VOTE('decide-1', 'REJECT', ', conditions: [say how many]')}}
    - {iteration: 2, json: ${VOTE('decide-2', 'APPROVE')}}
  decide_b:
    - {iteration: 1, json: ${VOTE('decide-1', 'APPROVE')}}
    - {iteration: 2, json: ${VOTE('decide-2', 'APPROVE', ', conditions: [test it under load]')}}
  decide_revise: [{json: {title: Use one queue, context: It scales to ten.}}]
  act: [{text: done}]
`,
    });
    await run.quiet();
    await expect(run.result).resolves.toMatchObject({
      output: {
        ...{ passed: true, outcome: 'passed', approvals: 2, conditions: ['test it under load'] },
        proposal: { id: 'decide-2', title: 'Use one queue', context: 'It scales to ten.' },
        earlier: [{ outcome: 'failed', proposal: { title: 'Use a queue.', context: 'Use a queue.\nIt scales.' } }],
      },
    });
    const asked = (step: string, nth = 0) => run.requests.filter(({ stepId }) => stepId.includes(step))[nth]?.prompt ?? '';
    expect(asked('decide_a')).toContain('"id": "decide-1"');
    expect(asked('decide_a')).toContain('It scales.');
    expect(asked('decide_revise')).toContain('say how many');
    expect(asked('decide_a', 1)).toContain('It scales to ten.');
    expect(asked('decide_a', 1)).toContain('say how many');
  });

  it('CP-4 · success · conditions of a vote that has passed bind the agents after it', async () => {
    const run = runWhole(PIPELINE, {
      files: AGENTS,
      script: `replies:
  draft: [{text: Use a queue.}]
  decide_a: [{json: ${VOTE('decide-1', 'APPROVE', ', conditions: [test it under load]')}}]
  decide_b: [{json: ${VOTE('decide-1', 'APPROVE')}}]
  act: [{text: done}]
`,
    });
    await run.quiet();
    await run.result;
    const [act] = run.requests.filter(({ stepId }) => stepId.includes('act'));
    expect(act?.prompt).toMatch(
      /# Constraints\n\nWhat was decided before binds your work\.\n\nStep "decide" decided "Use a queue\."\.\n- test it under load/,
    );
    expect(run.requests.filter(({ prompt }) => prompt.includes('# Constraints'))).toHaveLength(1);
  });

  it('CP-4 · entry · a vote without a rationale is asked for again, and counts', async () => {
    const run = runWhole(PIPELINE, {
      files: AGENTS,
      script: `replies:
  draft: [{text: Use a queue.}]
  decide_a: [{ask: 1, json: {proposalId: decide-1, vote: APPROVE}}, {ask: 2, json: ${VOTE('decide-1', 'APPROVE')}}]
  decide_b: [{json: ${VOTE('decide-1', 'APPROVE')}}]
  act: [{text: done}]
`,
    });
    await run.quiet();
    await expect(run.result).resolves.toMatchObject({ output: { passed: true, approvals: 2 } });
  });

  it('CP-4 · entry · a pipeline’s own schema asks for more, and never for less', async () => {
    const own = JSON.stringify({ type: 'object', required: ['cost'], properties: { cost: { type: 'integer' } } });
    const run = runWhole(PIPELINE, {
      files: { ...AGENTS, 'schemas/Vote.schema.json': own },
      script: `replies:
  draft: [{text: Use a queue.}]
  decide_a: [{json: ${VOTE('decide-1', 'APPROVE', ', cost: 3')}}]
  decide_b: [{ask: 1, json: {vote: APPROVE, cost: 3}}, {ask: 2, json: ${VOTE('decide-1', 'APPROVE', ', cost: 4')}}]
  act: [{text: done}]
`,
    });
    await run.quiet();
    await expect(run.result).resolves.toMatchObject({
      output: {
        votes: [
          { from: 'a', cost: 3 },
          { from: 'b', cost: 4 },
        ],
      },
    });
  });

  it('CP-4 · entry · options that cannot be chosen among are a failure of their own', async () => {
    const run = runWhole(PIPELINE, {
      files: AGENTS,
      script: 'replies:\n  draft: [{json: {title: Which?, options: [{id: x}, {id: x}]}}]\n',
    });
    await run.quiet();
    await expect(run.result).rejects.toMatchObject({ code: 'consensus.proposal' });
  });
});
