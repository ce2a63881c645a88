import { SCRIPTED } from '../activities/toolbox';
import { type AdapterSpec, BUILT_IN_ADAPTERS } from '../plan/agents/adapter';

/** The adapters, as data: nothing here loads what they need. */

/** The built-in adapters, with the settings laid over them. `scripted` is not among them: it needs no settings. */
export function adapterSpecs(settings: Readonly<Record<string, AdapterSpec>> = {}): Map<string, AdapterSpec> {
  const specs = new Map(Object.entries(BUILT_IN_ADAPTERS));
  for (const [name, spec] of Object.entries(settings)) specs.set(name, laidOver(specs.get(name), spec));
  return specs;
}

/** Every adapter's name, sorted. */
export function adapterNames(settings?: Readonly<Record<string, AdapterSpec>>): string[] {
  return [...adapterSpecs(settings).keys(), SCRIPTED].sort();
}

/** A setting of another kind has nothing in common with the adapter that it replaces. */
function laidOver(builtIn: AdapterSpec | undefined, spec: AdapterSpec): AdapterSpec {
  if (spec.kind === 'own' || builtIn?.kind !== spec.kind) return spec;
  return { ...builtIn, ...spec };
}
