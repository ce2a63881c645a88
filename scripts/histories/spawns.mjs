// Agents that spawn others and continue meanwhile.
import { AGENTS, script, used } from './agents.mjs';

const PIPELINE = `name: spawning
${AGENTS}
budget: {tokens: 1000}
steps:
  - {id: plan, agent: lead, action: self, output: Plan.md}
`;
const spawn = (agent) => `{tool: sessions_spawn, args: {agent: ${agent}, task: look}}`;
const look = '{tool: subagents, args: {}, after: 1s}';

export const SPAWN_CASES = [
  {
    // One child ends while its parent is running, one fails, and the parent waits for the last.
    name: 'children-beside-their-parent',
    guards: 'agents that an agent has spawned',
    pipeline: {
      name: 'spawning',
      source: PIPELINE,
      others: {
        'scripts/beside.yaml': script(`  plan:
    - {ask: 1, calls: [${spawn('w')}, ${spawn('r')}, ${look}], text: I wait, ${used(10)}}
    - {ask: 2, calls: [${spawn('w')}], text: I wait}
    - {ask: 3, text: done, ${used(10)}}
  plan>w:
    - {iteration: [1], json: {summary: looked, findings: [], artifacts: []}, after: 200ms, ${used(5)}}
    - {iteration: [3], json: {summary: looked again, findings: [], artifacts: []}, after: 2s, ${used(5)}}
  plan>r: [{fail: {code: model.refused, message: "no"}}]
`),
      },
    },
    script: 'beside',
    ends: 'COMPLETED',
  },
  {
    // The service fails while a child is running: the parent's next try has the same child.
    name: 'tried-again-with-its-children',
    guards: 'a try that begins again with spawned agents',
    pipeline: {
      name: 'spawning-twice',
      source: PIPELINE.replace('name: spawning', 'name: spawning-twice').replace('budget: {tokens: 1000}\n', ''),
      others: {
        'scripts/twice.yaml': script(`  plan:
    - {try: 1, ask: 1, calls: [${spawn('w')}, ${look}], fail: {code: model.api-error, message: down}}
    - {try: 2, ask: 1, text: I wait}
    - {try: 2, ask: 2, text: done}
  plan>w: [{json: {summary: looked, findings: [], artifacts: []}, after: 3s, ${used(5)}}]
`),
      },
    },
    script: 'twice',
    ends: 'COMPLETED',
  },
];
