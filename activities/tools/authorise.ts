import type { ToolCall } from '../../plan/agents/tool';
import { defined } from '../../plan/defined';
import { asText } from '../../plan/expressions/evaluate';
import { CATEGORIES, type Category, type RecordedApproval } from '../../plan/people/category';
import type { AgentDefinition } from '../../plan/plan';
import { ThermidorFailure } from '../../plan/run/failure';
import type { HandedEvent, JournalEvent } from '../../plan/run/journal';
import { shortAddress } from '../../plan/steps/address';
import { field, type Json, sameJson } from '../../plan/text/json';
import { jsonText } from '../../plan/text/json-text';
import { cutAfter } from '../../plan/text/shortened';
import { asJson } from '../../records/stored-json';
import type { AgentSession, AttemptScope } from '../agent/agent-session';
import { stampedEvent } from '../agent/journal-events';
import { contentDigest } from '../gates/content-digest';
import { beginOnce } from './begin-once';

export type Authorised = { kind: 'yes'; journal: HandedEvent[] } | { kind: 'no'; reason: string };

const SUMMARY_CHARACTERS = 200;

/** The category that a tool of this agent's is in (docs/protocol.md, 4.7). */
export function categoryOf({ categories }: AgentDefinition, tool: string): Category | undefined {
  return CATEGORIES.find((category) => categories?.[category]?.includes(tool));
}

/**
 * Whether a call in a category may be made. Without a person's answer for exactly this content the try pauses for one. The first call that
 * an approval lets through uses it up; the same call may use it again, after a crash before it began.
 */
export async function authoriseCall(
  scope: AttemptScope,
  session: AgentSession,
  ask: number,
  call: ToolCall,
  category: Category,
): Promise<Authorised> {
  const { text, sha256 } = contentDigest({ tool: call.tool, args: call.args });
  const answers = (scope.input.approvals ?? []).filter((one) => one.category === category && one.contentSha256 === sha256);
  for (const approval of answers.filter(({ approved }) => approved)) {
    if (await claimAnswer(scope, approval, { address: session.id, call: `${ask}/${call.id}` }))
      return { kind: 'yes', journal: [stampedEvent(scope, used(scope, approval))] };
  }
  const no = answers.find(({ approved }) => !approved);
  if (no) return { kind: 'no', reason: `${no.by ?? 'a person'} refused it${no.comment === undefined ? '' : `: ${no.comment}`}` };
  if (answers.length > 0) return { kind: 'no', reason: 'its approval has been used already, and an approval is for one call' };
  const content = await scope.toolbox.artifacts.put(text, { mediaType: 'application/json', name: `${call.tool}.action.json` });
  const summary = summaryOf({ tool: call.tool, args: call.args });
  throw scope.pauses.request({ kind: 'approval', need: { category, summary, contentSha256: sha256, content } });
}

/** One line that says what is to be done, and by an ellipsis that there is more of it. @param content as its digest is taken of it */
export function summaryOf(content: Json): string {
  return cutAfter(`${asText(field(content, 'tool') ?? null)} ${jsonText(field(content, 'args') ?? null)}`, SUMMARY_CHARACTERS);
}

/** Name of the record in the ledger that an approval is used up by. */
export function approvalUse(id: string): string {
  return `approval-used/${id}`;
}

/** Uses up a person's answer that is for one call. False: another call has done so. */
export async function claimAnswer(
  { toolbox, call }: AttemptScope,
  { id }: Pick<RecordedApproval, 'id'>,
  by: { address: string; call: string },
): Promise<boolean> {
  const mine = asJson(by);
  return sameJson(await toolbox.ledger.putIfAbsent(call.key, approvalUse(id), mine), mine);
}

/**
 * Must be called before an action of a category begins. One that a lost worker began may have been done, and one approval is for one
 * action: fails with `action.unknown`, which holds the step.
 */
export async function requireFirstCall(
  { toolbox, call, stepId }: AttemptScope,
  tool: string,
  category: Category,
  idempotencyKey: string,
): Promise<void> {
  if (!(await beginOnce(toolbox, call.key, `${idempotencyKey}/action`))) return;
  const message = `"${tool}" of step "${stepId}" is of category ${category}, and its worker was lost while it was at work: it may have been done`;
  throw new ThermidorFailure('action.unknown', message, { step: stepId, tool, category });
}

function used({ address }: AttemptScope, { id, category, contentSha256, by }: RecordedApproval): JournalEvent {
  return { kind: 'approval', step: shortAddress(address), event: 'used', category, contentSha256, id, ...defined({ by }) };
}
