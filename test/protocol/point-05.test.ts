import { INTENTS } from '../../plan/agents/envelope';
import { runWhole } from '../support/whole-run';

/** A run in which each intent of the protocol occurs. */
const pipeline = `
owner: lead
channels: { "#ops": {} }
agents: { w: { role: Writes. }, x: { role: Helps. }, secretary: { role: Keeps the books. } }
escalation: [boss, human]
steps:
  - {id: draft, agent: lead, action: self, output: Report.json}
  - {id: check, type: review, agent: r, of: draft, critic: x, on_block: escalate(boss)}
  - {id: tell, notify: { channel: "#ops", message: done }}
`;
const script = `
replies:
  draft:
    - {ask: 1, calls: [{tool: sessions_spawn, args: {agent: w, task: look}}], text: I wait}
    - {ask: 2, text: no json}
    - {ask: 3, json: {thesis: up}}
  draft>w: [{json: {summary: looked, findings: [], artifacts: []}}]
  check: [{json: {verdict: block}}]
  check.critic: [{json: {verdict: block}}]
  check@boss: [{calls: [{tool: sessions_send, args: {agent: secretary, message: up, timeoutSeconds: 5}}], json: {decision: pass, rationale: the risk is ours}}]
  check>secretary: [{text: "yes"}]
`;

describe('point 5: intents', () => {
  it('each has the sender and the receiver that the protocol gives it', async () => {
    const files = {
      'agents/lead.yaml': 'role: Leads.\nreports_to: boss\ntools: [sessions_spawn]\n',
      'schemas/Report.schema.json': '{"type":"object"}',
    };
    const run = runWhole(pipeline, { files, script });
    await run.quiet();
    run.signal('approve', { by: 'chairman' });
    await run.completes();
    const said = (await run.envelopes()).map(({ from, to, intent }) => `${intent} ${from}→${to}`);
    expect(said).toEqual(
      expect.arrayContaining([
        ...['assign_task lead→w', 'deliver_report w→lead', 'request_clarification lead→lead', 'review_request lead→r'],
        ...[
          'review_verdict r→lead',
          'collect_opinion boss→secretary',
          'escalate lead→boss',
          'deliver_report boss→lead',
          'escalate boss→human',
          'notify lead→#ops',
          'deliver_report lead→boss',
        ],
      ]),
    );
    expect(new Set((await run.envelopes()).map(({ intent }) => intent))).toEqual(new Set(INTENTS));
  });

  it('a clarification carries the report, what is missing, and the question', async () => {
    const run = runWhole('owner: lead\nsteps:\n  - {id: draft, agent: w, output: Report.json}\n', {
      files: { 'schemas/Report.schema.json': '{"type":"object","required":["thesis"]}' },
      script: 'replies:\n  draft: [{try: 1, json: {}}, {try: 2, json: {thesis: up}}]\n',
    });
    await run.completes();
    const asked = (await run.envelopes()).findLast(({ intent }) => intent === 'request_clarification');
    expect(asked).toMatchObject({
      ...{ from: 'lead', to: 'w', expect_response: true, ref_task: 'p-test/draft#1~2' },
      payload: { previous_report: { $ref: expect.any(String) }, missing_fields: ['thesis'], question: expect.any(String) },
    });
  });
});
