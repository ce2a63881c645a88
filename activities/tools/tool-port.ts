import { ThermidorFailure } from '../../plan/failure';
import type { JsonObject } from '../../plan/json';
import { field } from '../../plan/json';
import { Refusal, type ToolPorts } from '../tool-ports';
import { refused, type Tool, type ToolAnswer, type ToolUse } from './tool';

/** What tools that leave the run reach the outside by. Fails with `tool.failed` where this worker lets nobody out. */
export function outside({ toolbox }: ToolUse): ToolPorts {
  if (toolbox.toolPorts) return toolbox.toolPorts;
  throw new ThermidorFailure('tool.failed', 'agents have no access to files, programs or the web here');
}

/** A tool whose ports refuse by throwing. */
export function refusing(call: Tool['call']): Tool['call'] {
  return async (args, use): Promise<ToolAnswer> => {
    try {
      return await call(args, use);
    } catch (error) {
      if (error instanceof Refusal) return refused(error.message);
      throw error;
    }
  };
}

/** Arguments fit the schema already; these give them their types. */
export function textOf(args: JsonObject, name: string): string | undefined {
  const value = field(args, name);
  return typeof value === 'string' ? value : undefined;
}

export function numberOf(args: JsonObject, name: string): number | undefined {
  const value = field(args, name);
  return typeof value === 'number' ? value : undefined;
}

export function needed(args: JsonObject, name: string): string {
  const value = textOf(args, name);
  if (value === undefined) throw new Refusal(`"${name}" must be text`);
  return value;
}
