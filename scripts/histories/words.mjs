// Messages between agents, and what happens to unusable ones.
import { AGENTS, script } from './agents.mjs';

const REPORT = '{summary: looked, findings: [], artifacts: []}';

const TALKING = `name: talking
${AGENTS}schemas:
  Draft.json: {type: object}
  Judged.json: {type: object}
steps:
  - {id: plan, agent: lead, action: self, output: Plan.md}
  - {id: draft, agent: w, output: Draft.json}
  - {id: judge, agent: r, output: Judged.json, on_error: continue}
`;

export const WORD_CASES = [
  {
    name: 'children-respawned',
    guards: 'spawned agents that fail and are asked anew',
    pipeline: {
      name: 'talking',
      source: TALKING,
      others: {
        'scripts/talking.yaml': script(`  plan:
    - ask: 1
      calls:
        - {tool: sessions_spawn, args: {agent: w, task: look}}
        - {tool: sessions_spawn, args: {agent: r, task: judge}}
        - {tool: sessions_send, args: {agent: boss, message: What is new?}}
      text: I wait
    - {ask: 2, text: done}
  plan>w: [{try: 1, text: prose}, {try: 2, json: ${REPORT}}]
  plan>r: [{text: prose}]
  plan>boss: [{json: ${REPORT}}]
  draft: [{try: 1, text: prose}, {try: 2, json: {a: 1}}]
  judge: [{text: prose}]
`),
      },
    },
    script: 'talking',
    ends: 'COMPLETED',
  },
];
