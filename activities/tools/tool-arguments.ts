import { ThermidorFailure } from '../../plan/run/failure';
import type { JsonObject } from '../../plan/text/json';
import { field } from '../../plan/text/json';
import { type ToolPorts, ToolRefusal } from '../tool-ports';
import { refused, type Tool, type ToolAnswer, type ToolUse } from './tool';

/** The ports of tools that leave the run. Fails with `tool.failed` if this worker has none. */
export function toolPorts({ toolbox }: ToolUse): ToolPorts {
  if (toolbox.toolPorts) return toolbox.toolPorts;
  throw new ThermidorFailure('tool.failed', 'agents have no access to files, programs or the web here');
}

/** A tool whose ports refuse by throwing. */
export function withRefusals(call: Tool['call']): Tool['call'] {
  return async (args, use): Promise<ToolAnswer> => {
    try {
      return await call(args, use);
    } catch (error) {
      if (error instanceof ToolRefusal) return refused(error.message);
      throw error;
    }
  };
}

/** Arguments fit the schema already; these give them their types. */
export function textArgument(args: JsonObject, name: string): string | undefined {
  const value = field(args, name);
  return typeof value === 'string' ? value : undefined;
}

export function numberArgument(args: JsonObject, name: string): number | undefined {
  const value = field(args, name);
  return typeof value === 'number' ? value : undefined;
}

export function requiredText(args: JsonObject, name: string): string {
  const value = textArgument(args, name);
  if (value === undefined) throw new ToolRefusal(`"${name}" must be text`);
  return value;
}
