import { createAnthropicService } from '../activities/adapters/anthropic/service';
import { programAdapter } from '../activities/adapters/cli-agent/adapter';
import { modelAdapter } from '../activities/adapters/model/model-adapter';
import { openAiService } from '../activities/adapters/openai/service';
import { ScriptedAdapter } from '../activities/adapters/scripted';
import type { AgentAdapter } from '../activities/agent-port';
import type { Secrets } from '../activities/ports';
import type { AdapterSpec } from '../plan/agents/adapter';
import { unreachable } from '../plan/unreachable';
import { adapterSpecs } from './adapter-specs';

export interface AdapterOptions {
  /** The adapters of `thermidor.yaml`, laid over the built-in ones. */
  adapters?: Readonly<Record<string, AdapterSpec>>;
  /** An application’s own adapters, made in code. Each wins over another of its name. @default none */
  own?: readonly AgentAdapter[];
  secrets: Secrets;
}

/**
 * Every way this worker has to run an agent, by name. Nothing is asked for yet: keys and programs are looked for when a request is made.
 */
export function createAdapters({ adapters, own = [], secrets }: AdapterOptions): Map<string, AgentAdapter> {
  const scripted = new ScriptedAdapter();
  const made = new Map<string, AgentAdapter>([[scripted.name, scripted]]);
  for (const [name, spec] of adapterSpecs(adapters)) {
    const adapter = createAdapter(name, spec, secrets);
    if (adapter) made.set(name, adapter);
  }
  for (const adapter of own) made.set(adapter.name, adapter);
  return made;
}

/** A kind of adapter gets a line here. Undefined: nothing but code makes it. */
function createAdapter(name: string, spec: AdapterSpec, secrets: Secrets): AgentAdapter | undefined {
  switch (spec.kind) {
    case 'anthropic':
      return modelAdapter(createAnthropicService({ name, spec, secrets }), spec);
    case 'openai':
      return modelAdapter(openAiService({ name, spec, secrets }), spec);
    case 'cli':
      return programAdapter(name, spec, secrets);
    case 'own':
      return undefined;
    default:
      return unreachable(spec);
  }
}
