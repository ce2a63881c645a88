// Cases of ceilings that are reached and extended.
import { AGENTS, script, used } from './agents.mjs';

const BUDGET = `name: spends
${AGENTS}budget: {tokens: 100}
steps:
  - {id: draft, agent: w}
  - {id: told, run: echo told}
`;
const SPENDING_PARENT = `name: spending_parent
${AGENTS}budget: {tokens: 1000}
steps:
  - {id: draft, agent: w}
  - {id: sub, pipeline: spending_child.yaml, budget: {tokens: 100}}
  - {id: told, run: echo told}
`;
const SPENDING_CHILD = `name: spending_child
${AGENTS}steps:
  - {id: draft, agent: w}
`;
const SPAWNS = `name: spawns
owner: lead
agents:
  lead: {role: Leads., reports_to: boss, tools: [sessions_spawn]}
  boss: {role: Decides., reports_to: human}
  w: {role: Writes.}
budget: {tokens: 100}
steps:
  - {id: plan, agent: lead, action: self, output: Plan.md}
`;
const LONG_WAITS = `name: long_waits
${AGENTS}budget: {tokens: 100}
limits: {concurrent: 4}
steps:
  - {id: draft, agent: w, depends_on: []}
  - {id: bad, run: "exit 3", on_error: escalate(human), depends_on: []}
${Array.from({ length: 14 }, (_, i) => `  - {id: s${i + 1}, run: "echo ${i + 1}", depends_on: [${i === 0 ? '' : `s${i}`}]}\n`).join('')}  - {id: last, run: echo last, depends_on: [s14]}
`;

export const BUDGET_CASES = [
  {
    name: 'budget-extended',
    guards: 'a ceiling that is reached and raised',
    pipeline: { name: 'spends', source: BUDGET, others: { 'scripts/spends.yaml': script(`  draft: [{text: done, ${used(400)}}]\n`) } },
    script: 'spends',
    async drive(run) {
      await run.gate('draft');
      await run.refusedUpdate('approve', { by: 'ann' });
      await run.signal('extend_budget', { step: 'draft', tokens: 1000, by: 'ann' });
    },
    ends: 'COMPLETED',
  },
  {
    name: 'child-asks-for-budget',
    guards: 'a child pipeline that uses up its share and asks at its parent',
    pipeline: {
      name: 'spending_parent',
      source: SPENDING_PARENT,
      others: { 'spending_child.yaml': SPENDING_CHILD, 'scripts/spending.yaml': script(`  draft: [{text: done, ${used(300)}}]\n`) },
    },
    child: 'sub',
    script: 'spending',
    async drive(run) {
      await run.someGate();
      await run.update('extend_budget', { step: 'sub', tokens: 450, by: 'ann' });
    },
    ends: 'COMPLETED',
  },
  {
    name: 'spawned-child-asks',
    guards: 'an agent’s child that reaches a ceiling',
    pipeline: {
      name: 'spawns',
      source: SPAWNS,
      others: {
        'scripts/spawns.yaml': script(`  plan:
    - {ask: 1, calls: [{tool: sessions_spawn, args: {agent: w, task: pay}}], text: I wait}
    - {ask: 2, text: done}
  plan>w: [{json: {summary: paid, findings: [], artifacts: []}, ${used(400)}}]
`),
      },
    },
    script: 'spawns',
    async drive(run) {
      await run.someGate();
      await run.update('extend_budget', { step: 'plan', tokens: 1000, by: 'ann' });
    },
    ends: 'COMPLETED',
  },
  {
    name: 'gates-open-across-executions',
    guards: 'gates and questions of budgets that are open while the run continues as new',
    eventsLimit: 60,
    pipeline: {
      name: 'long_waits',
      source: LONG_WAITS,
      others: { 'scripts/long-waits.yaml': script(`  draft: [{text: done, ${used(400)}}]\n`) },
    },
    script: 'long-waits',
    async drive(run) {
      await run.step('last', 'done');
      await run.update('approve', { step: 'bad', by: 'ann' });
      await run.signal('extend_budget', { step: 'draft', tokens: 1000, by: 'ann' });
    },
    ends: 'COMPLETED',
  },
];
