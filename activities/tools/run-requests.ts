import type { RunRequest, RunRequestBody } from '../../plan/agents/run-request';
import { childId } from '../../plan/run/child';
import { formatAddress } from '../../plan/steps/address';
import type { JsonObject } from '../../plan/text/json';
import type { AgentSession, AttemptScope } from '../agent/agent-session';
import { contentDigest } from '../gates/content-digest';
import { answer, type CallingAgent, type RunRequests, refused, type ToolAnswer } from './tool';

const TOOL_OF = { notify: 'notify', escalate: 'escalate', start: 'pipelines_start' } as const;
/** The digits of a digest in the id of a run. */
const DIGITS = 10;

/**
 * An agent's requests to its run. The transcript keeps each with the answer, so that after a crash it is returned again, and the run takes
 * each up once.
 */
export function runRequestsOf({ address, call }: AttemptScope, { transcript, id }: AgentSession, { agent }: CallingAgent): RunRequests {
  const all = (): RunRequest[] => transcript.effects().flatMap(({ runRequest }) => runRequest ?? []);

  function ask(order: RunRequestBody, limit: number, said: JsonObject = {}): ToolAnswer {
    const before = all().filter(({ kind }) => kind === order.kind).length;
    if (before >= limit) return refused(`you have called "${TOOL_OF[order.kind]}" ${limit} times in this task already, which is the limit`);
    return {
      ...answer({ status: 'accepted', ...said }),
      effect: { runRequest: { ...order, id: `${id}/request-${all().length + 1}`, agent } },
    };
  }

  return {
    ask,
    start(order, limit) {
      const { pipeline, args } = order;
      // Independent of the try: one that begins again asks for the same run.
      const step = childId(call.key.workflowId, formatAddress({ ...address, try: 1 }));
      const workflowId = `${step}.${pipeline}-${contentDigest({ pipeline, args }).sha256.slice(0, DIGITS)}`;
      const isStarted = all().some((runRequest) => runRequest.kind === 'start' && runRequest.workflowId === workflowId);
      if (isStarted) return answer({ status: 'started already', run: workflowId });
      return ask({ kind: 'start', ...order, workflowId }, limit, { run: workflowId });
    },
  };
}

/** Ends the call if the run has not taken everything up yet. */
export function pauseForRunRequests({ transcripts, input, pauses }: AttemptScope): void {
  const taken = new Set(input.runRequests);
  const runRequests = [...transcripts.values()]
    .flatMap((one) => one.effects().flatMap(({ runRequest }) => runRequest ?? []))
    .filter(({ id }) => !taken.has(id));
  if (runRequests.length > 0) throw pauses.request({ kind: 'run-requests', runRequests });
}
