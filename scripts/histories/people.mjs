// Cases of people, budgets and agents among themselves: what came with reviews, approvals, escalation and ceilings.
const script = (replies) => `replies:\n${replies}`;
const AGENTS = `owner: lead
agents:
  lead: {role: Leads., reports_to: boss}
  boss: {role: Decides., reports_to: human}
  w: {role: Writes.}
  r: {role: Reviews.}
`;
const used = (tokens) => `usage: {input_tokens: ${tokens}, output_tokens: 0, cost_usd: 0.001}`;

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
const CHAIN = `name: goes_up
${AGENTS}escalation: [boss, human]
steps:
  - {id: draft, run: "exit 3", on_error: escalate(boss)}
  - {id: told, run: echo told}
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
const CATEGORY = `name: ships
requires_approval: {deploy: {approvers: [ann, bob, cleo], quorum: 2}}
steps:
  - {id: ship, run: echo shipped, category: deploy}
`;
const PROVEN = `name: proven
steps:
  - {id: sign, type: approval, approvers: [ann], identity: proven, comment: on_reject}
  - {id: second, type: approval, approvers: [bob]}
  - {id: told, run: echo told}
`;
const HELD_PARENT = `name: held_parent
steps:
  - {id: before, run: echo before}
  - {id: sub, pipeline: held_child.yaml}
`;
const HELD_CHILD = `name: held_child
steps:
  - {id: build, run: "test -e mended && echo built", on_error: hold}
`;
const OVERLAP = `name: overlap
${AGENTS}steps:
  - {id: draft, agent: w}
  - {id: one, type: review, of: draft, agent: r, depends_on: [draft], on_revise: {retry: draft, max: 2}}
  - {id: other, agent: w, depends_on: [draft]}
  - {id: end, run: echo end, depends_on: [one, other]}
`;
const SENT_BACK_TWICE = `name: sent_back_twice
${AGENTS}steps:
  - {id: draft, agent: w, depends_on: []}
  - {id: polish, agent: w, depends_on: [draft]}
  - {id: facts, type: review, of: draft, agent: r, depends_on: [draft], on_revise: {retry: draft, max: 2}}
  - {id: style, type: review, of: polish, agent: r, depends_on: [polish], on_revise: {retry: draft, max: 2}}
  - {id: end, run: echo end, depends_on: [facts, style]}
`;
const LONG_WAITS = `name: long_waits
${AGENTS}budget: {tokens: 100}
limits: {concurrent: 4}
steps:
  - {id: draft, agent: w, depends_on: []}
  - {id: bad, run: "exit 3", on_error: escalate(human), depends_on: []}
${Array.from({ length: 14 }, (_, i) => `  - {id: s${i + 1}, run: "echo ${i + 1}", depends_on: [${i === 0 ? '' : `s${i}`}]}\n`).join('')}  - {id: last, run: echo last, depends_on: [s14]}
`;
const RERUN = `name: again
steps:
  - {id: fetch, run: echo fetched}
  - {id: build, run: "test -e mended && echo built", on_error: hold}
  - {id: ship, run: "echo \${build}"}
`;

export const PEOPLE_CASES = [
  {
    name: '021-budget-extended',
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
    name: '022-child-asks-for-budget',
    pipeline: {
      name: 'spending_parent',
      source: SPENDING_PARENT,
      others: { 'spending_child.yaml': SPENDING_CHILD, 'scripts/spending.yaml': script(`  draft: [{text: done, ${used(300)}}]\n`) },
    },
    script: 'spending',
    async drive(run) {
      await run.someGate();
      await run.update('extend_budget', { step: 'sub', tokens: 450, by: 'ann' });
    },
    ends: 'COMPLETED',
  },
  {
    name: '023-agent-passes-on',
    pipeline: {
      name: 'goes_up',
      source: CHAIN,
      others: { 'scripts/goes-up.yaml': script('  draft@boss: [{json: {decision: pass_on, rationale: not mine}}]\n') },
    },
    script: 'goes-up',
    async drive(run) {
      await run.gate('draft');
      await run.update('approve', { by: 'ann', comment: 'go on' });
    },
    ends: 'COMPLETED',
  },
  {
    name: '024-spawned-child-asks',
    pipeline: {
      name: 'spawns',
      source: SPAWNS,
      others: {
        'scripts/spawns.yaml': script(`  plan:
    - {ask: 1, calls: [{tool: sessions_spawn, args: {agent: w, task: pay}}], text: I wait}
    - {ask: 2, text: done}
  plan>w: [{text: paid, ${used(400)}}]
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
    name: '025-category-by-quorum',
    pipeline: { name: 'ships', source: CATEGORY },
    async drive(run) {
      await run.gate('ship');
      await run.update('approve', { by: 'ann' });
      await run.refusedUpdate('approve', { by: 'ann' });
      await run.signal('approve', { by: 'cleo' });
    },
    ends: 'COMPLETED',
  },
  {
    name: '026-proven-and-delegated',
    pipeline: { name: 'proven', source: PROVEN },
    async drive(run) {
      await run.gate('sign');
      await run.refusedUpdate('approve', { step: 'sign', by: 'ann' });
      await run.sealed('approve', 'sign', 'ann', 'HISTORY_TOKEN_OF_ANN');
      await run.gate('second');
      await run.update('delegate', { step: 'second', by: 'bob', to: 'cleo' });
      await run.refusedUpdate('approve', { step: 'second', by: 'bob' });
      await run.signal('approve', { step: 'second', by: 'cleo' });
    },
    ends: 'COMPLETED',
  },
  {
    name: '027-orders-to-a-child',
    pipeline: { name: 'held_parent', source: HELD_PARENT, others: { 'held_child.yaml': HELD_CHILD } },
    async drive(run) {
      await run.step('sub', 'running');
      await run.someHeld();
      await run.signal('pause', { by: 'ops' });
      await run.signal('unpause', { by: 'ops' });
      run.write('mended');
      await run.update('retry', { step: 'sub/build', by: 'ops' });
    },
    ends: 'COMPLETED',
  },
  {
    name: '028-sent-back-while-it-runs',
    pipeline: {
      name: 'overlap',
      source: OVERLAP,
      others: {
        'scripts/overlap.yaml': script(`  draft: [{text: first}]
  one: [{round: 1, json: {verdict: revise}}, {json: {verdict: pass}}]
  other: [{round: 1, after: 20s, text: late}, {text: done}]
`),
      },
    },
    script: 'overlap',
    ends: 'COMPLETED',
  },
  {
    name: '029-gates-open-across-executions',
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
  {
    name: '030-rerun',
    pipeline: { name: 'again', source: RERUN },
    rerunFrom: 'build',
    async drive(run) {
      await run.step('build', 'held');
      run.write('mended');
      await run.update('retry', { step: 'build' });
    },
    ends: 'COMPLETED',
  },
  {
    name: '031-sent-back-twice',
    pipeline: {
      name: 'sent_back_twice',
      source: SENT_BACK_TWICE,
      others: {
        'scripts/sent-back-twice.yaml':
          script(`  draft: [{round: 1, text: first}, {round: 2, after: 40s, text: nobody waits for it}, {text: third}]
  polish: [{text: polished}]
  facts: [{round: 1, json: {verdict: revise}}, {json: {verdict: pass}}]
  style: [{round: 1, after: 1s, json: {verdict: revise}}, {json: {verdict: pass}}]
`),
      },
    },
    script: 'sent-back-twice',
    ends: 'COMPLETED',
  },
];
