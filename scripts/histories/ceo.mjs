// Cases of the owner's superior, and of requests from agents to their run.
import { script } from './agents.mjs';

const DAILY = `name: ceo_daily
args: {market: {type: string, required: true}}
steps:
  - {id: nap, wait: 2s}
  - {id: look, run: "echo \${args.market}"}
`;
const agents = `owner: lead
agents:
  lead: {role: Leads., reports_to: boss, tools: [pipelines_start], pipelines: [ceo_daily.yaml]}
  boss: {role: Decides., reports_to: human}
channels: {"#desk": {}, "#approvals": {}, "#errors": {}}
`;
const STARTS = `name: ceo_starts
${agents}steps:
  - {id: plan, agent: lead, action: self}
  - {id: nap, wait: 4s}
  - {id: evening, agent: lead, action: self}
  - {id: sign, type: approval}
`;
const LONG_START = `name: ceo_long_start
${agents}steps:
  - {id: plan, agent: lead, action: self, depends_on: []}
  - {id: sign, type: approval, depends_on: []}
${Array.from({ length: 14 }, (_, i) => `  - {id: s${i + 1}, run: "echo ${i + 1}", depends_on: [${i === 0 ? 'plan' : `s${i}`}]}\n`).join('')}  - {id: nap, wait: 4s, depends_on: [s14]}
  - {id: evening, agent: lead, action: self, depends_on: [nap, sign]}
`;
const others = {
  'ceo_daily.yaml': DAILY,
  'scripts/ceo.yaml': script(`  plan:
    - calls:
        - {tool: pipelines_start, args: {pipeline: ceo_daily, args: {market: BTC}}}
        - {tool: notify, args: {channel: "#desk", message: good morning}}
        - {tool: escalate, args: {reason: an empty calendar}}
      text: planned
  evening: [{text: good night}]
`),
};

export const CEO_CASES = [
  {
    name: 'ceo-starts',
    guards: 'a run that an agent of another run has started',
    pipeline: { name: 'ceo_starts', source: STARTS, others },
    script: 'ceo',
    async drive(run) {
      await run.gate('sign');
      await run.update('approve', { by: 'chairman' });
    },
    ends: 'COMPLETED',
  },
  {
    name: 'started-across-executions',
    guards: 'the same while the starting run continues as new',
    eventsLimit: 60,
    pipeline: { name: 'ceo_long_start', source: LONG_START, others },
    script: 'ceo',
    async drive(run) {
      await run.step('nap', 'done');
      await run.update('approve', { by: 'chairman' });
    },
    ends: 'COMPLETED',
  },
];
