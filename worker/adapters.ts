import { ScriptedAdapter } from '../activities/adapters/scripted';
import type { AgentAdapter } from '../activities/agent-port';

/** Every way this version has to run an agent. */
export function createAdapters(): AgentAdapter[] {
  return [new ScriptedAdapter()];
}

export function adapterNames(): string[] {
  return createAdapters().map((adapter) => adapter.name);
}
