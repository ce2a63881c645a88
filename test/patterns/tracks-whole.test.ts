import { runWhole } from '../support/whole-run';
import { playFile } from './file-play';

/** Two tracks with the real activities and stores: the questions to agents, and the effect of their answers. */
const AGENTS = { 'agents/a.yaml': 'role: Designs.\n', 'agents/b.yaml': 'role: Builds.\n' };

const PIPELINE = `owner: lead
schemas: {Api.json: {type: object, required: [paths], properties: {paths: {type: array}}}}
steps:
  - {id: wish, run: printf "a shop"}
  - id: dual
    type: tracks
    a: {agent: a, phases: [{id: api, prompt: "Design \${wish}.", output: Api.json}, {id: detail, prompt: Write the details.}]}
    b: {agent: b, phases: [{id: scaffold, prompt: Set it up.}, {id: core, prompt: Build it.}]}
    sync: [{id: contract, name: The contract, after: [api, scaffold], check: {agent: r, prompt: "Both serve \${wish}."}}]
    integration: printf tested
  - {id: paths, run: "printf %s \${dual.a.api.paths}"}
output: dual
`;

const script = (adjust: string): string => `replies:
  dual_api:
    - {iteration: 1, json: {paths: [/cart]}}
    - {iteration: 2, json: {paths: [/cart, /pay]}}
  dual_scaffold: [{text: serves /cart and /pay}]
  dual_contract:
    - {iteration: 1, json: {status: MISALIGNED, adjust: ${adjust}, conflicts: [/pay is missing], trackA_state: serves /cart}}
    - {iteration: 2, json: {status: ALIGNED}}
  dual_detail: [{text: in cents}]
  dual_core: [{text: built}]
`;

describe('two whole tracks', () => {
  it('CP-9 · workflow · each agent is asked with what the tracks have delivered, and again with what was found', async () => {
    const run = runWhole(PIPELINE, { files: AGENTS, script: script('a') });
    await run.quiet();
    await expect(run.result).resolves.toMatchObject({
      output: {
        ...{ status: 'aligned', a: { api: { paths: ['/cart', '/pay'] }, detail: 'in cents' } },
        b: { scaffold: 'serves /cart and /pay', core: 'built' },
        sync: [{ id: 'contract', name: 'The contract', status: 'ALIGNED', attempts: 2 }],
      },
    });
    const asked = (step: string, nth = 0) => run.requests.filter(({ stepId }) => stepId.includes(step))[nth]?.prompt ?? '';
    expect(asked('dual_api')).toContain('Design a shop.');
    expect(asked('dual_contract')).toContain('Both serve a shop.');
    expect(asked('dual_contract')).toContain('serves /cart and /pay');
    expect(asked('dual_api', 1)).toContain('/pay is missing');
    expect(asked('dual_contract', 1)).toContain('/pay is missing');
    expect(asked('dual_core')).toMatch(/the other track has delivered[^#]*## api[^#]*"\/pay"/);
    expect(asked('dual_scaffold')).not.toContain('the other track has delivered');
    expect(asked('dual_detail')).not.toContain('is made again');
    const entries = (await run.journal()).filter((entry) => entry.kind === 'pattern');
    expect(entries).toMatchObject([
      { type: 'sync_checkpoint', data: { status: 'MISALIGNED', trackA_state: 'serves /cart', conflicts: ['/pay is missing'] } },
      { type: 'sync_checkpoint', data: { status: 'ALIGNED' } },
    ]);
  });

  it('CP-9 · fallbacks · track b is asked with all that track a has delivered, if it follows it', async () => {
    const script = `replies:
  dual_api: [{json: {paths: [/cart]}}]
  dual_scaffold: [{text: serves /cart}]
  dual_contract: [{json: {status: MISALIGNED, conflicts: [/pay is missing]}}]
  dual_detail: [{text: in cents}]
  dual_core: [{text: built}]
`;
    const run = runWhole(PIPELINE, { files: AGENTS, script });
    await run.quiet();
    await expect(run.result).resolves.toMatchObject({ output: { status: 'linear', sync: [{ status: 'MISALIGNED', attempts: 2 }] } });
    const last = run.requests.findLast(({ stepId }) => stepId.includes('dual_scaffold'))?.prompt;
    expect(last).toMatch(/gone on alone.*"\/cart".*in cents.*\/pay is missing/s);
  });

  it('CP-9 · fallbacks · a swarm that frees a blocked track leaves what the other has delivered, and the phase gets the solution', async () => {
    const diagnosis = { json: { root_cause: 'a lock in src/a.ts', confidence: 0.9, fix_suggestion: 'remove it' } };
    const text = `name: it
owner: lead
agents: {lead: {role: Leads.}, p: {role: Designs.}, e: {role: Builds.}}
steps:
  - id: dual
    type: tracks
    a: {agent: p, phases: [{id: api, prompt: Design it.}, {id: detail, prompt: Write the details.}]}
    b: {agent: e, phases: [{id: scaffold, prompt: Set it up.}, {id: core, prompt: Build it.}]}
    sync: [{id: contract, after: [api, scaffold], check: {agent: lead}}]
    on_blocked: swarm(mob)
  - {id: mob, type: swarm, agents: {p: design, e: code}, verify: "true"}
`;
    const played = await playFile(
      text,
      {
        ...{ dual_api: [{ text: 'serves /cart' }], dual_detail: [{ text: 'in cents' }], dual_scaffold: [{ text: 'set up' }] },
        ...{ dual_contract: [{ json: { status: 'ALIGNED' } }], mob_p: [diagnosis], mob_e: [diagnosis] },
        dual_core: [{ round: 1, fail: { code: 'agent.turns-used-up', message: 'stuck' } }, { text: 'built' }],
        ...Object.fromEntries(['p', 'e'].map((name) => [`mob_fix_${name}`, [{ json: { applied: true, summary: 'removed' } }]])),
      },
      { mob_verify: { stdout: 'ok' }, mob_files: { stdout: '' } },
    );
    expect(played.view.state).toBe('completed');
    expect(['dual_api', 'dual_detail', 'dual_scaffold', 'dual_contract', 'dual_core'].map(played.calls)).toEqual([1, 1, 1, 1, 2]);
    expect(played.steps.get('dual[1]/dual_core')?.calls.at(-1)?.text).toContain('mob, solved by p: removed');
  });

  it('CP-9 · entry · the output of a phase has the schema that it names', async () => {
    const wrong = script('a').replace('{iteration: 1, json: {paths: [/cart]}}', '{iteration: 1, text: no JSON at all}');
    const run = runWhole(PIPELINE, { files: AGENTS, script: wrong });
    await run.quiet();
    await expect(run.result).rejects.toMatchObject({
      code: 'tracks.blocked',
      message: expect.stringContaining('a did not complete api'),
    });
  });

  it('CP-9 · success · the integration is run at the end, and its failure is the step’s', async () => {
    const run = runWhole(PIPELINE.replace('printf tested', 'exit 3'), { files: AGENTS, script: script('a') });
    await run.quiet();
    await expect(run.result).rejects.toMatchObject({ code: 'command.failed' });
  });
});
