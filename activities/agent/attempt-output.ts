import { describeFault } from '../../plan/agents/reply-fault';
import { defined, unlessEmpty } from '../../plan/defined';
import { type FailedWork, ThermidorFailure } from '../../plan/run/failure';
import { formatPath } from '../../plan/steps/address';
import type { StepOutput } from '../../plan/steps/step-activity';
import { shellWord } from '../../plan/text/shell-word';
import { cutAfter } from '../../plan/text/shortened';
import { visibleText } from '../../plan/text/visible-text';
import { asJson } from '../../records/stored-json';
import { isMissingField } from '../schemas/schema-check';
import type { AttemptScope } from './agent-session';
import type { AgentWork } from './agent-work';
import type { ConversationResult } from './conversation';
import { journalEvents } from './journal-events';
import { describeInvalid, missingFieldsOf } from './reply';

/** The output of a conversation, stored. Fails with `reply.invalid`, `reply.no-verdict` and the store's failures. */
export async function attemptOutput(
  scope: AttemptScope,
  work: AgentWork,
  { reply, raw, repairs }: ConversationResult,
): Promise<Omit<StepOutput, 'adapter'>> {
  const { toolbox } = scope;
  const name = work.outputName(reply.kind === 'good' && reply.json);
  if (reply.kind === 'bad') {
    const previous = await toolbox.artifacts.put(raw, { mediaType: 'text/plain', name: `${name}.refused.txt` });
    const { faults } = reply;
    const missingFields = missingFieldsOf(reply);
    const problems = faults.filter((fault) => !isMissingField(fault)).map(describeFault);
    const asked = repairs.length === 0 ? '' : `, also after ${repairs.length} repair request${repairs.length === 1 ? '' : 's'}`;
    const details = asJson({ step: work.stepId, missingFields, problems, faults, previous });
    const what = `agent "${work.agent}" did not return ${work.wanted ?? name}${asked}: ${describeInvalid(reply)}`;
    throw new ThermidorFailure(reply.code, [what, whatItSaid(scope, raw)].join('; '), details);
  }
  const own = await work.finish(reply, raw);
  const artifact = await toolbox.artifacts.put(reply.text, { mediaType: reply.json ? 'application/json' : 'text/plain', name });
  return { artifact, ...own, ...defined({ repairs: unlessEmpty(repairs) }) };
}

/** The beginning of the reply, without secrets, and the command that shows the whole of it. */
function whatItSaid({ call, address, secrets }: AttemptScope, raw: string): string {
  const round = address.round > 1 ? `#${address.round}` : '';
  const command = `thermidor show ${shellWord(call.key.workflowId)} ${shellWord(`${formatPath(address.path)}${round}`)} --transcript`;
  // Masked before it is cut: the masker does not know half a secret.
  const beginning = quotedBeginning(secrets.mask(raw));
  return [...(beginning === undefined ? [] : [`the reply begins ${beginning}`]), `\`${command}\` has all of it`].join('; ');
}

/** What the whole try has used, however it ends. */
export function usedSoFar(scope: AttemptScope): Pick<StepOutput, 'usage' | 'journal' | 'toolCalls' | 'requests'> {
  const usage = scope.meter.usage();
  const toolCalls = scope.meter.toolCalls();
  const requests = [...scope.transcripts.values()].reduce((sum, transcript) => sum + transcript.requests(), 0);
  const journal = journalEvents(scope);
  return defined({
    usage,
    toolCalls: toolCalls > 0 ? toolCalls : undefined,
    requests: requests === 1 ? undefined : requests,
    journal: unlessEmpty(journal),
  });
}

/** Usage and notes from before a failure still count, so the failure carries them, and what a member has said. */
export function withUsedWork(error: unknown, scope: AttemptScope, { context }: Pick<FailedWork, 'context'> = {}): unknown {
  if (!(error instanceof ThermidorFailure)) return error;
  const used = usedSoFar(scope);
  if (Object.keys(used).length === 0 && !context) return error;
  const { code, message, details, retryAfterMs } = error;
  return new ThermidorFailure(code, message, details, retryAfterMs, { ...used, ...defined({ context }) });
}

const SHOWN_CHARACTERS = 120;

/**
 * The first line of a text that is not blank, in quotes and cut, so that it stays one line of a message and steers no terminal.
 * Undefined if the text is blank.
 */
function quotedBeginning(text: string): string | undefined {
  const line = /\S.*/.exec(text)?.[0].trimEnd();
  if (line === undefined) return undefined;
  return visibleText(JSON.stringify(cutAfter(line, SHOWN_CHARACTERS)));
}
