import { SCRIPTED } from '../activities/toolbox';
import { type AdapterSpec, BUILT_IN_ADAPTERS } from '../plan/agents/adapter';

/** Which adapters there are, as data: nothing here loads what they need. */

/** Those that are there by themselves, with what is set up laid over them. `scripted` is not among them: it needs no setting up. */
export function adapterSpecs(settings: Readonly<Record<string, AdapterSpec>> = {}): Map<string, AdapterSpec> {
  const specs = new Map(Object.entries(BUILT_IN_ADAPTERS));
  for (const [name, spec] of Object.entries(settings)) specs.set(name, laidOver(specs.get(name), spec));
  return specs;
}

/** Every adapter's name, sorted. */
export function adapterNames(settings?: Readonly<Record<string, AdapterSpec>>): string[] {
  return [...adapterSpecs(settings).keys(), SCRIPTED].sort();
}

/** A setting of another kind has nothing in common with what it replaces. */
function laidOver(builtIn: AdapterSpec | undefined, spec: AdapterSpec): AdapterSpec {
  if (spec.kind === 'own' || builtIn?.kind !== spec.kind) return spec;
  return { ...builtIn, ...spec };
}
