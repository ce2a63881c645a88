import { type CostCategory, covers } from '../plan/brief/category';

/**
 * What people have granted to the agents of a project for ever, until somebody revokes it. Entries are only added.
 *
 * Requires of the store: appending lines in one order that is the same for all readers; read-after-write, from any process. Fails with
 * `store.unavailable`.
 *
 * Invariants: 1. an answer counts once, however often it is added: one that was revoked stays revoked; 2. a project has no grant of
 * another; 3. an entry that cannot be read grants nothing.
 */
export interface LastingGrants {
  /** Durable when it returns. An answer that was added before is not added again. */
  add(grant: LastingGrant): Promise<void>;
  /** Durable when it returns. It ends what was granted before it. */
  revoke(revocation: Revocation): Promise<void>;
  /** The categories that are granted in a project, each once. */
  inForce(project: string): Promise<CostCategory[]>;
  /** Every grant that is in force, in the order of projects and then of time. */
  list(project?: string): Promise<GrantInForce[]>;
}

/** A person's answer `always` to one question. */
export interface LastingGrant {
  /** The answer’s: `<workflow id>/<first execution>/<address>/grant-<n>`. */
  id: string;
  project: string;
  categories: readonly CostCategory[];
  /** ISO 8601. */
  at: string;
  /** Workflow id. */
  run: string;
  by?: string;
}

export interface Revocation {
  project: string;
  /** A category, or a wildcard for several: what it covers is revoked. */
  category: string;
  at: string;
  by?: string;
}

export interface GrantInForce extends Omit<LastingGrant, 'categories'> {
  category: CostCategory;
}

export type GrantEntry = ({ kind: 'granted' } & LastingGrant) | ({ kind: 'revoked' } & Revocation);

/** What is in force after the entries of one project, in their order. A category has the grant that came last. */
export function grantsAfter(entries: readonly GrantEntry[]): GrantInForce[] {
  const known = new Set<string>();
  let found: GrantInForce[] = [];
  for (const entry of entries) {
    if (entry.kind === 'revoked') {
      found = found.filter(({ category }) => !covers(entry.category, category));
    } else if (!known.has(entry.id)) {
      known.add(entry.id);
      const { kind: _granted, categories, ...grant } = entry;
      found = [
        ...found.filter(({ category }) => !categories.includes(category)),
        ...categories.map((category) => ({ ...grant, category })),
      ];
    }
  }
  return found;
}

export function isAdded(entries: readonly GrantEntry[], { id }: LastingGrant): boolean {
  return entries.some((entry) => entry.kind === 'granted' && entry.id === id);
}
