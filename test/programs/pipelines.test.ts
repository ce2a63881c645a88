import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { agentNames, PIPELINES, pipelineNames, readAgent, readPipeline, schemaNames, schemaOf } from './program-files';

const AGENT_KEYS = ['id', 'title', 'role', 'model', 'adapter', 'reports_to', 'timeout', 'tools', 'pipelines', 'context'];
/** The reviewers behind review gates (docs/protocol.md, 4.6). */
const GATES = ['reviewer', 'backtest_reviewer', 'engineering_reviewer', 'copy_reviewer'];

it('the main job has these steps, nothing added', () => {
  const lines = readFileSync(join(PIPELINES, 'daily-quant-pipeline.yaml'), 'utf8').split('\n');
  expect(lines.slice(0, 4)).toEqual(['name: daily_quant_pipeline', 'trigger: cron "30 7 * * 1-5"', 'owner: quant_strategist', 'steps:']);
  expect(readPipeline('daily-quant-pipeline').steps).toEqual([
    { id: 'intel', agent: 'finance_researcher', action: 'spawn', output: 'Finance_Research_Brief.json' },
    {
      id: 'structure',
      agent: 'market_structure_researcher',
      action: 'spawn',
      depends_on: ['intel'],
      output: 'Market_Structure_Report.json',
    },
    { id: 'bull', agent: 'bullish_researcher', action: 'spawn', depends_on: ['structure'], output: 'Bullish_Brief.json' },
    { id: 'bear', agent: 'bearish_researcher', action: 'spawn', depends_on: ['structure'], output: 'Bearish_Brief.json' },
    { id: 'converge', agent: 'quant_strategist', action: 'self', depends_on: ['bull', 'bear'], output: 'Strategy_Thesis.json' },
    {
      id: 'review',
      agent: 'reviewer',
      action: 'spawn',
      depends_on: ['converge'],
      output: 'Review_Report.json',
      on_revise: 'retry(converge, max=3)',
      on_block: 'escalate(ceo_coo)',
    },
    {
      id: 'data_analysis',
      agent: 'data_analyst',
      action: 'spawn',
      depends_on: ['review'],
      condition: 'review.verdict == "pass"',
      output: 'Data_Analysis_Report.json',
    },
    { id: 'approve', type: 'hitl', channel: '#approvals', depends_on: ['data_analysis'] },
  ]);
  expect(lines.filter((line) => line.trim().startsWith('#'))).toEqual([]);
});

describe.each(pipelineNames)('%s', (name) => {
  const program = readPipeline(name);
  it('names only agents that are defined', () => {
    const named = [program.owner ?? [], ...program.steps.map((step) => step.agent ?? [])].flat();
    const defined = [...agentNames, ...Object.keys(program.agents ?? {})];
    expect(named.filter((agent) => !defined.includes(agent))).toEqual([]);
  });
  it('names only outputs that have a schema', () => {
    const named = program.steps.flatMap((step) => schemaOf(program, step.id) ?? []);
    expect(named.filter((schema) => !schemaNames.includes(schema))).toEqual([]);
  });
});

it('the guarded pipeline asks the chairman only if the analyst says proceed', () => {
  const steps = new Map(readPipeline('daily-quant-guarded').steps.map((step) => [step.id, step]));
  expect(steps.get('approve')).toMatchObject({ when: 'data_analysis.recommendation == "proceed"' });
  expect(steps.get('held_back')).toMatchObject({
    when: 'data_analysis.recommendation != "proceed"',
    notify: { channel: '#research' },
  });
});

describe.each(agentNames)('agent %s', (id) => {
  const agent = readAgent(id);
  it('has the keys of an agent definition, and says who it is', () => {
    expect(Object.keys(agent).filter((key) => !AGENT_KEYS.includes(key))).toEqual([]);
    expect(agent['id']).toBe(id);
    expect(agent['timeout']).toMatch(/^\d+(ms|s|m|h|d)$/);
  });
  it('is asked to answer with one JSON object and to name missing fields', () => {
    expect(agent['role']).toMatch(/one JSON object/);
    expect(agent['role']).toMatch(/missing_fields/);
  });
  it('reports up a chain that ends at a person', () => {
    const chain: string[] = [];
    for (let at: string | undefined = id; at !== undefined && at !== 'human' && !chain.includes(at); at = readAgent(at)['reports_to']) {
      chain.push(at);
    }
    expect(readAgent(chain.at(-1)!)['reports_to']).toBe('human');
  });
});

it.each(GATES)('there is a definition of the gate %s that gives the three verdicts', (id) => {
  const role = readAgent(id)['role'];
  for (const verdict of ['pass', 'revise', 'block']) expect(role).toContain(`\`${verdict}\``);
  expect(role).toContain('Review_Report.json');
});
