import { shortAddress } from '../../plan/address';
import { CATEGORIES, type Category, type RecordedApproval } from '../../plan/category';
import { ThermidorFailure } from '../../plan/failure';
import type { JournalEvent } from '../../plan/journal';
import { sameJson } from '../../plan/json';
import type { AgentDefinition } from '../../plan/plan';
import type { ToolCall } from '../../plan/tool';
import type { Seat, TryScope } from '../agent/seat';
import { contentDigest } from '../gates/content-digest';
import { asJson } from '../stored/stored-json';

export type Authorised = { kind: 'yes'; journal: JournalEvent[] } | { kind: 'no'; reason: string };

const SUMMARY_CHARACTERS = 200;

/** The category that a tool of this agent's is in (protocol.md point 9). */
export function categoryOf({ categories }: AgentDefinition, tool: string): Category | undefined {
  return CATEGORIES.find((category) => categories?.[category]?.includes(tool));
}

/**
 * Whether a call in a category may be made. Without a person's answer for exactly this content the try pauses for one. An approval
 * is used up by the first call that it lets through, whoever asks again. That is recorded before the call is made: the same call, without a
 * result, may have been made by a worker that was lost. It is not made again, and fails with `action.unknown`.
 *
 * @param isMade the call has been made already, and what came of it is known
 */
export async function authorise(
  scope: TryScope,
  seat: Seat,
  ask: number,
  call: ToolCall,
  { category, isMade }: { category: Category; isMade: boolean },
): Promise<Authorised> {
  const { text, sha256 } = contentDigest({ tool: call.tool, args: call.args });
  const answers = (scope.input.approvals ?? []).filter((one) => one.category === category && one.contentSha256 === sha256);
  for (const approval of answers.filter(({ approved }) => approved)) {
    const use = await claim(scope, approval, { address: seat.id, call: `${ask}/${call.id}` });
    if (use === 'begun' && !isMade) throw mayBeDone(scope, seat, call, category);
    if (use !== 'by-another') return { kind: 'yes', journal: [used(scope, approval)] };
  }
  const no = answers.find(({ approved }) => !approved);
  if (no) return { kind: 'no', reason: `${no.by ?? 'a person'} refused it${no.comment === undefined ? '' : `: ${no.comment}`}` };
  if (answers.length > 0) return { kind: 'no', reason: 'its approval has been used already, and an approval is for one call' };
  const content = await scope.toolbox.artifacts.put(text, { mediaType: 'application/json', name: `${call.tool}.action.json` });
  const summary = `${call.tool} ${JSON.stringify(call.args)}`.slice(0, SUMMARY_CHARACTERS);
  throw scope.holds.hold({ kind: 'approval', need: { category, summary, contentSha256: sha256, content } });
}

/** Name of the record in the ledger that an approval is used up by. */
export function approvalUse(id: string): string {
  return `approval-used/${id}`;
}

async function claim(
  { toolbox: { ledger }, call }: TryScope,
  { id }: RecordedApproval,
  by: { address: string; call: string },
): Promise<'first' | 'begun' | 'by-another'> {
  const mine = asJson(by);
  const before = await ledger.get(call.key, approvalUse(id));
  const kept = before ?? (await ledger.putIfAbsent(call.key, approvalUse(id), mine));
  if (!sameJson(kept, mine)) return 'by-another';
  return before === undefined ? 'first' : 'begun';
}

function mayBeDone({ stepId }: TryScope, { agent }: Seat, { tool }: ToolCall, category: Category): ThermidorFailure {
  const message = `agent "${agent.id}" called ${tool}, which is of category ${category}, and its worker was lost while the tool was at work: it may have been done`;
  return new ThermidorFailure('action.unknown', message, { step: stepId, category, tool });
}

function used({ address }: TryScope, { id, category, contentSha256, by }: RecordedApproval): JournalEvent {
  return { kind: 'approval', step: shortAddress(address), event: 'used', category, contentSha256, id, ...(by === undefined ? {} : { by }) };
}
