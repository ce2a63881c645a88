import type { Json } from '../text/json';

/** A tool as an agent sees it. */
export interface ToolSpec {
  name: string;
  description: string;
  /** JSON Schema of the arguments. */
  parameters: Json;
}

export interface ToolCall {
  /** Unique within the request to the agent. */
  id: string;
  tool: string;
  args: Json;
}

/** What the agent gets back from its call. */
export interface ToolResult {
  text: string;
  refused?: true;
}
