import type { AgentAdapter, AgentRequest } from '../../activities/agent-port';
import type { Tool } from '../../activities/tools/tool';
import { recordRun } from '../../cli/recording/record-run';
import { recordedScriptText } from '../../cli/recording/script-text';
import type { ToolCall } from '../../plan/agents/tool';
import { ThermidorFailure } from '../../plan/run/failure';
import type { Json } from '../../plan/text/json';
import { openRecords } from '../../records/open-records';
import { openCalls, type Turn, turnsOfRequest } from '../../records/transcripts/turn';
import { scratchFolder } from '../support/scratch-folder';
import { runWhole, type WholeRun } from '../support/whole-run';

/** The actions of an agent on a request: its calls, all at once, and then its answer. */
interface Deed {
  calls?: { tool: string; args: Json }[];
  text: string;
  fail?: ThermidorFailure;
}

/** An agent that behaves like a real one: several calls in one reply, usage with every reply. */
function live(deed: (request: AgentRequest) => Deed): AgentAdapter {
  const usage = { inputTokens: 10, outputTokens: 2, cacheReadTokens: 0, cacheWriteTokens: 0, costMicroUsd: 7 };
  return {
    name: 'scripted',
    async *run(request): AsyncIterable<Turn> {
      const { calls = [], text, fail } = deed(request);
      const said = turnsOfRequest(request.transcript());
      const made = calls.map((call, i): ToolCall => ({ id: `toolu_${i}`, ...call }));
      if (made.length > 0 && !said.some((turn) => turn.calls)) yield { role: 'assistant', text: 'I look first.', calls: made, usage };
      for (const call of openCalls(request.transcript())) await request.tools?.call(call);
      if (fail) throw fail;
      yield { role: 'assistant', text, usage };
    },
  };
}

const LOOKUP: Tool = {
  description: 'looks up a price',
  parameters: { type: 'object', required: ['of'], properties: { of: { type: 'string' } } },
  listedOnly: true,
  call: async ({ of }) => ({ text: `line one of ${String(of)}\nline two\n` }),
};

const PIPELINE = `
args:
  markets: {type: array, default: [btc, eth]}
owner: lead
escalation: [{agent: boss, decides: agent}, human]
steps:
  - {id: draft, agent: lead, action: self, prompt: "Write of it.", output: Report.json}
  - {id: notes, for_each: args.markets, item_var: market, steps: [{id: note, agent: n, prompt: "Of \${market}.", output: Note.md}]}
  - {id: review, type: review, agent: r, of: draft, on_revise: "retry(draft, max=1)"}
  - {id: ok, type: hitl, prompt: "Send it?"}
`;
const FILES = {
  'schemas/Report.schema.json': '{"type":"object","required":["thesis"]}',
  'agents/lead.yaml': 'role: Leads.\nreports_to: boss\ntools: [lookup, sessions_spawn, sessions_send]\n',
  'agents/n.yaml': 'role: Notes.\n',
};
function playLive(state: string): WholeRun {
  const deed = ({ stepId, address, ask, iterations = [] }: AgentRequest): Deed => {
    const round = address.round;
    if (stepId === 'draft>n') return { text: iterations.length > 0 ? 'a child says: it rises' : 'asked, I say: maybe' };
    if (stepId === 'draft' && ask === 1) {
      const calls = [
        { tool: 'lookup', args: { of: `round ${round}` } },
        { tool: 'lookup', args: { wrong: true } },
        { tool: 'sessions_spawn', args: { agent: 'n', task: 'Look at it.' } },
        { tool: 'sessions_send', args: { agent: 'n', message: 'What do you say?', timeoutSeconds: 5 } },
      ];
      return { calls, text: 'I wait for my child.' };
    }
    if (stepId === 'draft' && ask === 2) return { text: '{"summary": "no thesis yet"}' };
    if (stepId === 'draft')
      return { text: JSON.stringify({ thesis: `rises, round ${round}: yes`, ...(round === 1 ? { risk: 'some' } : {}) }, null, 2) };
    if (stepId === 'note') {
      if (address.try === 1 && iterations[0] === 1) return { text: '', fail: new ThermidorFailure('model.api-error', 'cut off') };
      return { text: `# Note ${iterations.join()}\n\nwith "quotes", \ttabs: and\n  an indent\n` };
    }
    if (stepId === 'review@boss') return { text: '{"decision":"pass","rationale":"the risk is ours"}' };
    return { text: '{"verdict":"revise","issues":[{"severity":"major","field":"thesis","description":"too bold","suggestion":"halve"}]}' };
  };
  return runWhole(PIPELINE, {
    files: FILES,
    toolbox: {
      ...{
        artifacts: openRecords({ stateDir: state }).artifacts,
        control: openRecords({ stateDir: state }).control,
        ledger: openRecords({ stateDir: state }).ledger,
        tools: { lookup: LOOKUP },
      },
      adapters: new Map([['scripted', live(deed)]]),
    },
  });
}

/** The output and cost of every round of every step. */
const resultsOf = (run: WholeRun) =>
  run.status().steps.flatMap((step) =>
    [...(step.superseded ?? []), step].map(({ address, artifact, usage, verdict, error }) => {
      return { address, sha256: artifact?.sha256, usage, verdict, error };
    }),
  );

const atGate = (run: WholeRun) => run.quiet(() => run.status().gates.length > 0 || run.status().state === 'failed');

async function recorded(run: WholeRun, state: string) {
  const key = { workflowId: 'p-test', run: run.status().firstRunId };
  return await recordRun(openRecords({ stateDir: state }), state, key, 'recorded', await run.journal());
}

describe('a recorded run', () => {
  it('is played again from its script: the same outputs, rounds, tries, verdicts and costs', async () => {
    const state = scratchFolder();
    const first = playLive(state);
    await atGate(first);
    first.signal('approve', { by: 'chairman', comment: 'fine' });
    await first.completes();
    const { script, left } = await recorded(first, state);
    expect(left).toEqual([]);
    expect(Object.keys(script.replies)).toEqual(['draft', 'draft>n', 'note', 'review', 'review@boss']);
    const places = (key: string) => script.replies[key]?.map((reply) => `${reply.round} ${reply.try} ${reply.ask}`);
    expect(places('draft')).toEqual(['1 1 1', '1 1 2', '1 1 3', '2 1 1', '2 1 2', '2 1 3']);
    expect(script.replies['note']?.map(({ reply }) => reply.kind)).toEqual(['text', 'text', 'fail', 'text', 'fail', 'text']);
    // A document would be replayed with sorted keys, so replies whose keys are not sorted are recorded as text.
    expect(script.replies['draft']?.map(({ reply }) => reply.kind)).toEqual(['text', 'text', 'text', 'text', 'text', 'json']);
    expect(script.people).toEqual([{ gate: 'ok', choice: 'approve', by: 'chairman', comment: 'fine' }]);

    // In the second run only the script's agents exist, and the tool does not.
    const again = runWhole(PIPELINE, { files: FILES, script: recordedScriptText(script, ['recorded']) });
    await atGate(again);
    for (const { gate, by, comment } of script.people) again.signal('approve', { step: gate, by, comment });
    await again.completes();
    expect(resultsOf(again)).toEqual(resultsOf(first));
    expect(again.status().usage).toEqual(first.status().usage);
  });

  it('has a turn of another agent that failed, with the code and the message', async () => {
    const state = scratchFolder();
    const { artifacts, control, ledger } = openRecords({ stateDir: state });
    const deed = ({ stepId, ask }: AgentRequest): Deed => {
      if (stepId === 'draft>n') return { text: '', fail: new ThermidorFailure('model.refused', '"n" could not answer: agent.timeout: no') };
      const calls = ask === 1 ? [{ tool: 'sessions_send', args: { agent: 'n', message: 'Well?', timeoutSeconds: 5 } }] : [];
      return { calls, text: '{"thesis":"rises"}' };
    };
    const pipeline =
      'steps:\n  - {id: draft, agent: lead, prompt: "Write.", output: Report.json}\n  - {id: note, agent: n, prompt: "Note."}\n';
    const run = runWhole(pipeline, {
      files: FILES,
      toolbox: { artifacts, control, ledger, adapters: new Map([['scripted', live(deed)]]) },
    });
    await expect(run.result).resolves.toMatchObject({ status: 'completed' });
    const { script } = await recorded(run, state);
    expect(script.replies['draft>n']).toMatchObject([
      { reply: { kind: 'fail', code: 'model.refused', message: '"n" could not answer: agent.timeout: no' } },
    ]);
  });
});
