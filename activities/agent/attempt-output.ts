import { describeFault } from '../../plan/agents/reply-fault';
import { defined } from '../../plan/defined';
import { ThermidorFailure } from '../../plan/run/failure';
import type { StepOutput } from '../../plan/steps/step-activity';
import { asJson } from '../../records/stored-json';
import { isMissingField } from '../schemas/schema-check';
import type { AttemptScope } from './agent-session';
import type { AgentWork } from './agent-work';
import type { ConversationResult } from './conversation';
import { journalEvents } from './journal-events';
import { describeInvalid, missingFieldsOf } from './reply';

/** The output that a conversation has led to, stored. Fails with `reply.invalid`, `reply.no-verdict` and what the store fails with. */
export async function attemptOutput(
  { toolbox }: AttemptScope,
  work: AgentWork,
  { reply, raw, repairs }: ConversationResult,
): Promise<Omit<StepOutput, 'adapter'>> {
  const name = work.outputName(reply.kind === 'good' && reply.json);
  if (reply.kind === 'bad') {
    const previous = await toolbox.artifacts.put(raw, { mediaType: 'text/plain', name: `${name}.refused.txt` });
    const { faults } = reply;
    const missingFields = missingFieldsOf(reply);
    const problems = faults.filter((fault) => !isMissingField(fault)).map((fault) => describeFault(fault));
    const asked = repairs.length === 0 ? '' : `, also after ${repairs.length} repair request${repairs.length === 1 ? '' : 's'}`;
    const details = asJson({ step: work.stepId, missingFields, problems, faults, previous });
    throw new ThermidorFailure(reply.code, `agent "${work.agent}" did not return ${name}${asked}: ${describeInvalid(reply)}`, details);
  }
  const own = await work.finish(reply, raw);
  const artifact = await toolbox.artifacts.put(reply.text, { mediaType: reply.json ? 'application/json' : 'text/plain', name });
  return { artifact, ...own, ...(repairs.length > 0 ? { repairs } : {}) };
}

/** What the whole try has come to, however it ends. */
export function usedSoFar(scope: AttemptScope): Pick<StepOutput, 'usage' | 'journal' | 'toolCalls'> {
  const usage = scope.meter.usage();
  const toolCalls = scope.meter.toolCalls();
  const journal = journalEvents(scope);
  return {
    ...defined({ usage }),
    ...(toolCalls > 0 ? { toolCalls } : {}),
    ...(journal.length > 0 ? { journal } : {}),
  };
}

/** What was paid and noted before it failed is paid and noted all the same, so the failure says it. */
export function withUsedWork(error: unknown, scope: AttemptScope): unknown {
  if (!(error instanceof ThermidorFailure)) return error;
  const { usage, journal } = usedSoFar(scope);
  if (!usage && !journal) return error;
  const { code, message, details, retryAfterMs } = error;
  return new ThermidorFailure(code, message, details, retryAfterMs, defined({ usage, journal }));
}
