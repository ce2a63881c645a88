import type { ToolCall } from '../../plan/agents/tool';
import { type AuthorityNow, authorisedNow, type GrantAnswer } from '../../plan/brief/authority';
import { type CostCategory, SHELL, unauthorised } from '../../plan/brief/category';
import { defined } from '../../plan/defined';
import type { JournalEvent } from '../../plan/run/journal';
import { shortAddress } from '../../plan/steps/address';
import type { ActivityCall } from '../activity-call';
import type { AttemptScope } from '../agent/agent-session';
import { stampedEvent } from '../agent/journal-events';
import { contentDigest } from '../gates/content-digest';
import type { Toolbox } from '../toolbox';
import { type Authorised, claimAnswer } from './authorise';
import { callCategories } from './call-categories';

/**
 * Whether somebody has authorised a call of an agent that works for a brief: the brief itself, or a person for this call, for the run or
 * for ever. If not, the try pauses for a person's answer, once for everything that is missing. Grants that last are read at each call.
 *
 * Invariants: 1. categories come from our table and the settings, never from a tool or its server; 2. an answer is for exactly the content
 * that was shown, and lets one call through (`once`), or covers the categories that were asked for; 3. a no holds for the same call made
 * again.
 */
export async function authoriseByBrief(scope: AttemptScope, call: ToolCall, made: { address: string; call: string }): Promise<Authorised> {
  const { authority } = scope.input;
  if (!authority) return { kind: 'yes', journal: [] };
  const { toolbox } = scope;
  const { project, answers = [] } = authority;
  const asked = callCategories(toolbox, call);
  if (authority.noShell && asked.includes(SHELL)) return { kind: 'no', reason: whyNot(call, [SHELL], 'the run was started without it') };
  if (unauthorised(authorisedNow(authority), asked).length === 0) return { kind: 'yes', journal: [] };
  const given = authorisedNow(authority, await toolbox.grants.inForce(project));
  const { text, sha256 } = contentDigest({ tool: call.tool, args: call.args });
  const used: GrantAnswer[] = [];
  for (const answer of answers.filter(({ choice, contentSha256 }) => choice === 'once' && contentSha256 === sha256)) {
    if (unauthorised(given, asked).length === 0) break;
    if (!(await claimAnswer(scope, answer, made))) continue;
    given.push(...answer.categories);
    used.push(answer);
  }
  const missing = unauthorised(given, asked);
  if (missing.length === 0)
    return { kind: 'yes', journal: used.map((answer) => stampedEvent(scope, usedBy(scope, authority, call, answer))) };
  const no = answers.find(({ choice, contentSha256 }) => choice === 'deny' && contentSha256 === sha256);
  if (no) return { kind: 'no', reason: whyNot(call, no.categories, saidNo(no)) };
  if (authority.noOperator)
    return { kind: 'no', reason: whyNot(call, missing, 'the brief does not authorise that, and nobody can be asked') };
  const content = await toolbox.artifacts.put(text, { mediaType: 'application/json', name: `${call.tool}.action.json` });
  throw scope.pauses.request({ kind: 'grant', need: { project, categories: missing, tool: call.tool, contentSha256: sha256, content } });
}

/** Writes down what people have granted for ever in this step. One that was written before, and may be revoked by now, is not repeated. */
export async function keepLastingGrants({ toolbox, input, call }: Pick<AttemptScope, 'toolbox' | 'input' | 'call'>): Promise<void> {
  const { project, answers = [] } = input.authority ?? {};
  if (project === undefined) return;
  for (const answer of answers) if (answer.choice === 'always') await keepLastingGrant(toolbox, call.key, { ...answer, project });
}

/** One that was written before is not repeated. */
export async function keepLastingGrant(
  { grants }: Pick<Toolbox, 'grants'>,
  { workflowId, run }: ActivityCall['key'],
  { id, project, categories, at, by }: Pick<GrantAnswer, 'id' | 'categories' | 'at' | 'by'> & Pick<AuthorityNow, 'project'>,
): Promise<void> {
  await grants.add({ id: `${workflowId}/${run}/${id}`, project, categories, at, run: workflowId, ...defined({ by }) });
}

function whyNot({ tool }: ToolCall, categories: readonly CostCategory[], why: string): string {
  return `"${tool}" needs ${categories.join(', ')}: ${why}`;
}

function saidNo({ by, comment }: GrantAnswer): string {
  return `denied${by === undefined ? '' : ` by ${by}`}${comment === undefined ? '' : `: ${comment}`}`;
}

function usedBy(
  { address }: AttemptScope,
  { project }: AuthorityNow,
  { tool }: ToolCall,
  { id, contentSha256, categories, by }: GrantAnswer,
): JournalEvent {
  return { kind: 'grant', step: shortAddress(address), event: 'used', project, categories, tool, contentSha256, id, ...defined({ by }) };
}
