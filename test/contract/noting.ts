import type { Tool, ToolUse } from '../../activities/tools/tool';
import type { Json } from '../../plan/text/json';

/** A tool that notes what it was called with. */
export interface NotingTool extends Tool {
  called: Json[];
  keys: string[];
}

export interface Noting {
  result?: string;
  parameters?: Json;
  /** In place of the result. */
  instead?(use: ToolUse): Promise<string>;
}

export function noting({ result = 'noted', parameters = { type: 'object' }, instead }: Noting = {}): NotingTool {
  const called: Json[] = [];
  const keys: string[] = [];
  return {
    ...{ called, keys, parameters, description: 'notes its arguments' },
    async call(args, use) {
      called.push(args);
      keys.push(use.idempotencyKey);
      return { text: instead ? await instead(use) : result };
    },
  };
}
