import { ScriptedAdapter } from '../activities/adapters/scripted';
import type { AgentAdapter } from '../activities/ports';

/** Every way this version has to run an agent. */
export function createAdapters(): AgentAdapter[] {
  return [new ScriptedAdapter()];
}

export function adapterNames(): string[] {
  return createAdapters().map((adapter) => adapter.name);
}
