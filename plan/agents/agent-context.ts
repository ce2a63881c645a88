import type { Json } from '../text/json';

/** The most bytes of a context as JSON: each task of each agent begins with it. */
const CONTEXT_LIMIT_BYTES = 16 * 1024;

/** The context of a run's agents, in which an arg overrides the value of the same name. */
export function mergedContext(
  context: Readonly<Record<string, Json>> = {},
  args: Readonly<Record<string, Json>> = {},
): Record<string, Json> {
  return Object.fromEntries(Object.entries(context).map(([name, value]) => [name, args[name] ?? value]));
}

/** Why a context is too long, in words; undefined if it is not. */
export function contextProblem(context: Readonly<Record<string, Json>>): string | undefined {
  const sizeBytes = new TextEncoder().encode(JSON.stringify(context)).length;
  return sizeBytes <= CONTEXT_LIMIT_BYTES
    ? undefined
    : `has ${sizeBytes} bytes, more than the ${CONTEXT_LIMIT_BYTES} that each task may begin with`;
}
