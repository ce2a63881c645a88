import type { ToolCall } from '../../plan/agents/tool';
import { builtInTool } from '../../plan/agents/tool-names';
import type { CostCategory } from '../../plan/brief/category';
import { categoriesOfCall } from '../../plan/brief/tool-categories';
import type { Toolbox } from '../toolbox';

/** The categories of a call. A tool of the application's that replaces one of ours may do more than ours, if its settings do not say. */
export function callCategories(
  { tools = {}, toolSettings: { costs = {} } = {} }: Toolbox,
  call: Pick<ToolCall, 'tool' | 'args'>,
): CostCategory[] {
  const categories = categoriesOfCall(call, costs);
  const isReplaced = builtInTool(call.tool) !== undefined && Object.hasOwn(tools, call.tool) && !Object.hasOwn(costs, call.tool);
  return isReplaced ? [...new Set<CostCategory>([...categories, 'shell_exec'])] : categories;
}
