// Cases of work that a review sends back while more of it is in progress.
import { AGENTS, script } from './agents.mjs';

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

const ADVISED = `name: advised
${AGENTS}channels: {"#approvals": {approvers: [chairman]}}
steps:
  - {id: draft, agent: w}
  - {id: check, type: review, of: draft, agent: r, on_revise: {retry: draft, max: 1}, on_block: escalate(boss)}
  - {id: end, run: echo end}
`;
const DECIDES = `name: decides
${AGENTS}escalation: [lead, {agent: boss, decides: agent}, human("#desk")]
channels: {"#desk": {approvers: [chairman]}}
steps:
  - {id: draft, agent: w}
  - {id: check, type: review, of: draft, agent: r}
  - {id: end, run: echo end}
`;

export const REVIEW_CASES = [
  {
    name: 'sent-back-while-it-runs',
    guards: 'a revision of a step that is at work',
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
    name: 'sent-back-twice',
    guards: 'a step that two reviews send back',
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
  {
    // Two gates in one run, each of which sends its own work back once.
    name: 'two-review-gates',
    guards: 'two review gates one after the other',
    pipeline: 'daily_quant_backtested',
    script: 'daily-quant-backtested',
    async drive(run) {
      await run.gate('approve');
      await run.update('approve', { by: 'chairman', comment: 'go' });
    },
    ends: 'COMPLETED',
  },
  {
    name: 'agents-advise-and-a-person-decides',
    guards: 'a chain of agents that advise, and a person who decides',
    pipeline: {
      name: 'advised',
      source: ADVISED,
      others: {
        'scripts/advised.yaml': script(`  draft: [{text: written}]
  check: [{json: {verdict: block}}]
  check@boss: [{round: 1, json: {decision: revise, rationale: name the source}}, {fail: {code: model.refused}}]
`),
      },
    },
    script: 'advised',
    async drive(run) {
      await run.gate('check');
      await run.refusedUpdate('approve', { step: 'check', by: 'boss' });
      await run.update('respond', { step: 'check', by: 'chairman', response: 'revise', comment: 'name the source' });
      await run.gate('check#2');
      await run.signal('approve', { step: 'check#2', by: 'chairman' });
    },
    ends: 'COMPLETED',
  },
  {
    name: 'an-agent-decides-where-the-pipeline-says-so',
    guards: 'a chain in which an agent decides',
    pipeline: {
      name: 'decides',
      source: DECIDES,
      others: {
        'scripts/decides.yaml': script(`  draft: [{text: written}]
  check: [{json: {verdict: block}}]
  check@lead: [{json: {decision: pass, rationale: it is fine}}]
  check@boss: [{round: 1, json: {decision: revise, rationale: shorter}}, {json: {decision: pass_on, rationale: above me}}]
`),
      },
    },
    script: 'decides',
    async drive(run) {
      await run.gate('check#2');
      await run.update('approve', { step: 'check#2', by: 'chairman' });
    },
    ends: 'COMPLETED',
  },
];
