import type { Template } from '../../plan/expressions/expression';
import { isSecretReference } from '../../plan/run/args';
import type { LoadedRun } from './loaded-run';

export type SecretRun = Pick<LoadedRun, 'plan' | 'record' | 'steps'>;

/** The secrets of a run: those of its args by name, and those among its steps' variables. */
export interface References {
  args: ReadonlyMap<string, string>;
  variables: ReadonlySet<string>;
}

/** A plan is frozen, and may have many steps. */
const known = new WeakMap<SecretRun, References>();

export function referencesOf(run: SecretRun): References {
  const found = known.get(run) ?? { args: secretArgs(run), variables: secretVariables(run) };
  known.set(run, found);
  return found;
}

function secretArgs({ plan, record }: SecretRun): Map<string, string> {
  const found = new Map<string, string>();
  for (const [name, spec] of Object.entries(plan.args ?? {})) {
    const reference = Object.hasOwn(record.args, name) ? record.args[name] : undefined;
    if (spec.secret && typeof reference === 'string') found.set(name, reference);
  }
  return found;
}

/** Lobster has no secrets: what looks like a reference in one of its files is text. */
function secretVariables({ plan, steps }: SecretRun): Set<string> {
  const found = new Set<string>();
  if (plan.dialect === 'lobster') return found;
  for (const step of steps.values()) {
    for (const template of Object.values(('env' in step && step.env) || {})) {
      const reference = wholeReference(template);
      if (reference !== undefined) found.add(reference);
    }
  }
  return found;
}

export function wholeReference([only, ...more]: Template): string | undefined {
  return more.length === 0 && typeof only === 'string' && isSecretReference(only) ? only : undefined;
}
