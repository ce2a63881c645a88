import type { AgentAdapter } from '../../activities/agent-port';
import { addUsage, tokensOf, type Usage } from '../../plan/budgets/usage';
import { ThermidorFailure } from '../../plan/run/failure';
import { readPaid } from '../../records/accounts/read-paid';
import { type CostSum, sumOf } from '../../records/accounts/sum';
import { openRecords } from '../../records/open-records';
import type { Records } from '../../records/records';
import { readRecordedCall } from '../../records/transcripts/recorded-call';
import { isReply, openCalls, type Turn, turnsOfRequest } from '../../records/transcripts/turn';
import { scratchFolder } from '../support/scratch-folder';
import { runWhole } from '../support/whole-run';

/**
 * Costs are recorded in one book: the accounts, line by line, as the transcripts report each payment. All other figures (`cost`, the usage
 * of steps and of the run, the sums of budgets) agree with it.
 */
const PIPELINE = `
args: {markets: {type: array, default: [gold, oil]}}
owner: lead
escalation: [{agent: boss, decides: agent}, human]
budget: {tokens: 100000, usd: 10}
steps:
  - {id: draft, agent: lead, prompt: "Write of it.", output: Report.json, repair: 1}
  - {id: notes, for_each: args.markets, item_var: market, steps: [{id: note, agent: n, prompt: "Of \${market}.", output: Note.md}]}
  - {id: review, type: review, agent: r, critic: c, of: draft, on_revise: "retry(draft, max=1)"}
  - {id: broken, agent: n, prompt: "Fail.", output: Never.md, on_error: continue}
`;
const FILES = {
  'schemas/Report.schema.json': '{"type":"object","required":["thesis"]}',
  'agents/lead.yaml': 'role: Leads.\nreports_to: boss\ntools: [sessions_spawn, sessions_send]\n',
  'agents/n.yaml': 'role: Notes.\n',
  'agents/c.yaml': 'role: Judges the judge.\n',
};
const REVISE = '{"verdict":"revise","issues":[{"severity":"major","field":"thesis","description":"too bold","suggestion":"halve"}]}';

/** Each reply costs a different amount, so that a sum is wrong if it omits one or counts one twice. */
function payingAgents(): { adapter: AgentAdapter; earned: () => { replies: number; costMicroUsd: number } } {
  const earned = { replies: 0, costMicroUsd: 0 };
  const paid = (): Usage => {
    const costMicroUsd = 2 ** earned.replies % 1_000_003;
    earned.replies += 1;
    earned.costMicroUsd += costMicroUsd;
    return { inputTokens: earned.replies, outputTokens: 2, cacheReadTokens: 3, cacheWriteTokens: 0, costMicroUsd };
  };
  return {
    earned: () => earned,
    adapter: {
      name: 'live',
      affords: true,
      limitsReplies: true,
      async *run(request): AsyncIterable<Turn> {
        const { stepId, address, ask, transcript, tools } = request;
        const say = (text: string): Turn => ({ role: 'assistant', text, usage: paid() });
        const isFirst = turnsOfRequest(transcript()).every(({ role }) => role !== 'assistant');
        if (stepId === 'draft' && ask === 1 && isFirst) {
          const calls = [
            { id: 'a', tool: 'sessions_spawn', args: { agent: 'n', task: 'Look at it.' } },
            { id: 'b', tool: 'sessions_send', args: { agent: 'n', message: 'What do you say?', timeoutSeconds: 5 } },
          ];
          yield { ...say('I ask.'), calls };
        }
        for (const call of openCalls(transcript())) await tools?.call(call);
        const last = turnsOfRequest(transcript()).at(-1);
        if (last && isReply(last)) return;
        if (stepId === 'note' && address.try === 1) {
          yield { ...say(''), stop: 'broken' };
          throw new ThermidorFailure('model.api-error', 'cut off');
        }
        if (stepId === 'broken') {
          yield { ...say('I cannot.'), stop: 'refused' };
          throw new ThermidorFailure('model.refused', 'it would not', {
            usage: { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, costMicroUsd: 999_999 },
          });
        }
        if (stepId === 'draft' && ask === 2) yield say('{"summary": "no thesis yet"}');
        else if (stepId === 'draft') yield say('{"thesis": "it rises"}');
        else if (stepId === 'review@boss') yield say('{"decision":"pass","rationale":"the risk is ours"}');
        else if (stepId.startsWith('review')) yield say(REVISE);
        else yield say('# Note');
      },
    },
  };
}

async function accountsIn(records: Records): Promise<CostSum> {
  return sumOf(await readPaid(records.runs, await records.runs.list()));
}

test('the accounts, the transcripts, the steps, the run and its budget come to the same', async () => {
  const state = scratchFolder();
  const records = openRecords({ stateDir: state });
  const { adapter, earned } = payingAgents();
  const { artifacts, control, ledger } = records;
  const run = runWhole(PIPELINE, {
    files: FILES,
    toolbox: { artifacts, control, ledger, adapters: new Map([['scripted', adapter]]) },
  });
  await run.quiet(() => run.status().state !== 'running' || run.status().gates.length > 0);
  await expect(run.result).resolves.toMatchObject({ status: 'completed' });
  const { usage, budget, steps, firstRunId } = run.status();
  expect(earned().replies).toBeGreaterThan(12);
  expect(steps.find(({ id }) => id === 'broken')).toMatchObject({ error: { code: 'model.refused' } });

  const paid = await accountsIn(records);
  expect(paid).toMatchObject({ ...earned(), unknownReplies: 0, unanswered: 0 });
  expect(usage?.costMicroUsd).toBe(earned().costMicroUsd);
  expect(budget).toMatchObject({ costMicroUsd: { spent: earned().costMicroUsd, reserved: 0 }, tokens: { spent: tokensOf(paid) } });
  const rounds = steps.flatMap((step) => [...(step.superseded ?? []), step]);
  expect(rounds.reduce<Usage | undefined>((sum, one) => addUsage(sum, one.usage), undefined)).toEqual(usage);

  const entries = await readPaid(records.runs, await records.runs.list());
  for (const id of new Set(entries.map(({ call }) => call))) {
    const { asks } = await readRecordedCall(ledger, { workflowId: entries[0]?.run ?? '', run: firstRunId }, id);
    const recorded = asks.flat().flatMap((turn) => turn.usage?.costMicroUsd ?? []);
    expect([id, entries.filter(({ call }) => call === id).map((entry) => entry.usage.costMicroUsd)]).toEqual([id, recorded]);
  }
});
