import { CLI_PRESETS } from '../../../plan/agents/adapter';
import type { AdapterWish } from '../../../plan/agents/adapter-choice';
import type { LowerContext } from '../lower-context';

/** The program that runs the agent, by its adapter's name. Undefined also for adapters with names of one's own: they are not known here. */
export function programOf(
  { definition }: { definition?: AdapterWish },
  { installation: { models = {} } }: LowerContext,
): string | undefined {
  const { adapter: own, model } = definition ?? {};
  const adapter = (model !== undefined && Object.hasOwn(models, model) ? models[model]?.adapter : undefined) ?? own;
  return adapter !== undefined && PROGRAMS.includes(adapter) ? adapter : undefined;
}

const PROGRAMS: readonly string[] = CLI_PRESETS;
