// Cases of briefs and their roles.
import { script } from './agents.mjs';

const BRIEF = `name: briefed
steps:
  - id: brief
    brief: {project: site, roles: [planner, executor, reviewer], objective: A site., deliverables: [index.html], constraints: None.}
  - {id: told, run: echo told}
output: brief
`;
const executes = (turn, id, more = '') => `    - {iteration: ${turn}, json: {kind: execution, subtask_id: ${id}, output: Done.}${more}}\n`;
const judges = (turn, id, verdict) =>
  `    - {iteration: ${turn}, json: {kind: review, subtask_id: ${id}, verdict: ${verdict}, rationale: I have read it.}}\n`;
const BRIEF_SCRIPT = script(`  brief_planner:
    - json:
        kind: plan
        subtasks:
          - {id: page, title: The page, instruction: Write it., acceptance_criteria: [It is there]}
          - {id: text, title: The text, instruction: Write it., acceptance_criteria: [It is there], depends_on: [page]}
  brief_executor:
${executes(4, 'page', ', calls: [{tool: run, args: {argv: [echo, made]}}]')}${executes(6, 'page')}    - iteration: 9
      json: {kind: escalation, severity: warn, role: executor, reason: there is no text, context: it is in no file}
${executes(11, 'text')}  brief_reviewer:
${judges(5, 'page', 'needs_retry')}${judges(7, 'page', 'pass')}${judges(12, 'text', 'pass')}`);

export const BRIEF_CASES = [
  {
    name: 'a-brief-is-worked',
    guards: 'a brief with two sub-tasks, a retry, a call that a person allows, and a person who has one tried again',
    pipeline: { name: 'briefed', source: BRIEF, others: { 'scripts/briefed.yaml': BRIEF_SCRIPT } },
    script: 'briefed',
    async drive(run) {
      const answers = [
        ['brief[2]/brief_confirm', 'confirm'],
        ['brief[3]/brief_confirm', 'confirm'],
        ['brief[4]/brief_executor', 'once'],
        ['brief[8]/brief_confirm', 'confirm'],
        ['brief[10]/brief_operator', 'retry', 'it is in text.md'],
      ];
      for (const [step, response, comment] of answers) {
        await run.gate(step);
        await run.update('respond', { step, by: 'ann', response, ...(comment && { comment }) });
      }
    },
    ends: 'COMPLETED',
  },
];
