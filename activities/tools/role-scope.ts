import type { ToolCall } from '../../plan/agents/tool';
import { outOfScope } from '../../plan/brief/role';
import { ThermidorFailure } from '../../plan/run/failure';
import type { AttemptScope } from '../agent/agent-session';
import { callCategories } from './call-categories';

/**
 * Fails with `brief.out-of-scope` if a call has a category that the caller's role does not have: the work was given to the wrong role, or
 * the wrong tools to it, and that is nobody's to allow.
 */
export function requireRoleScope({ toolbox, input, stepId }: AttemptScope, call: ToolCall): void {
  const { role } = input.authority ?? {};
  if (!role) return;
  const lacking = outOfScope(role, callCategories(toolbox, call));
  if (lacking.length === 0) return;
  const message = `the role "${role.id}" of step "${stepId}" does not have ${lacking.join(', ')}, which its call of "${call.tool}" needs`;
  throw new ThermidorFailure('brief.out-of-scope', message, { step: stepId, role: role.id, tool: call.tool, categories: lacking });
}

/** Whether the caller's role may use a tool at all. It is not offered otherwise: a call of it would halt the work. */
export function isInRoleScope({ toolbox, input }: AttemptScope, tool: string): boolean {
  const { role } = input.authority ?? {};
  return !role || outOfScope(role, callCategories(toolbox, { tool, args: {} })).length === 0;
}
