import { z } from 'zod';
import { type CostCategory, isCategory } from '../plan/brief/category';
import type { Json } from '../plan/text/json';
import type { GrantEntry } from './lasting-grants';

const WHEN = { project: z.string(), at: z.string(), by: z.string().optional() };
const ENTRY = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('granted'),
    id: z.string(),
    categories: z.array(z.custom<CostCategory>((text) => typeof text === 'string' && isCategory(text))),
    run: z.string(),
    ...WHEN,
  }),
  z.object({ kind: z.literal('revoked'), category: z.string(), ...WHEN }),
]);

/** What was stored as an entry of a project. Anything else is no entry: it grants nothing. */
export function grantEntriesIn(stored: Json | undefined, project: string): GrantEntry[] {
  const read = ENTRY.safeParse(stored);
  return read.success && read.data.project === project ? [read.data as GrantEntry] : [];
}
